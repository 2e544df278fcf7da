import type { CapturedPacket } from '@ringdown/capture';
import * as fc from 'fast-check';
import { request, response, sdp } from '../../test/sip-messages.js';
import { MessageParts, type WholePacket } from './message-parts.js';

const PHONE = { ip: '192.0.2.10', port: 50_000 };
const PROXY = { ip: '192.0.2.1', port: 5_060 };
const INVITE = request('INVITE', { body: sdp('192.0.2.10', 4_000) });
const OPTIONS = request('OPTIONS', { callId: 'ping' });
const RINGING = response('180 Ringing', 'INVITE');

function sent(payload: Buffer, more: Partial<CapturedPacket> = {}): CapturedPacket {
  return { source: PHONE, destination: PROXY, content: 'sip', isFromAgent: true, payload, ...more };
}

function packetTexts(found: readonly WholePacket[]): readonly string[] {
  return found.map(({ packet, isCut }) => `${packet.payload.toString()}${isCut ? ' (cut)' : ''}`);
}

/** Each packet one millisecond after the one before. */
function join(...packets: readonly CapturedPacket[]): readonly string[] {
  const parts = new MessageParts();
  const found = packets.flatMap((packet, n) => parts.add(packet, n));
  return [...packetTexts(found), ...packetTexts(parts.end())];
}

describe('SIP in packets of a capture agent', () => {
  it('is the same, whatever the lengths of its parts', () => {
    const cuts = fc.array(fc.integer({ min: 60, max: INVITE.length - 1 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(cuts, (places) => {
        const ends = [...new Set(places)].toSorted((a, b) => a - b);
        const pieces = [...ends, INVITE.length].map((end, n) => INVITE.subarray(n === 0 ? 0 : ends[n - 1], end));
        expect(join(...pieces.map((piece) => sent(piece)))).toEqual([INVITE.toString()]);
      }),
    );
  });

  it('is put together also with other messages between its parts', () => {
    const [first, second] = [INVITE.subarray(0, 300), INVITE.subarray(300)];
    const answer = sent(RINGING, { source: PROXY, destination: PHONE });
    expect(join(sent(first), sent(OPTIONS), answer, sent(second))).toEqual(
      [OPTIONS, RINGING, INVITE].map((each) => each.toString()),
    );
  });

  it('is put together from parts of two messages that are mixed', () => {
    const message = request('MESSAGE', { body: 'x'.repeat(500) });
    const parts = [INVITE.subarray(0, 300), message.subarray(0, 350), INVITE.subarray(300), message.subarray(350)];
    expect(join(...parts.map((each) => sent(each)))).toEqual([INVITE.toString(), message.toString()]);
  });

  it('may be several messages in one packet, and the beginning of the next', () => {
    const first = Buffer.concat([OPTIONS, Buffer.from('\r\n\r\n'), OPTIONS, INVITE.subarray(0, 300)]);
    expect(join(sent(first), sent(INVITE.subarray(300)))).toEqual(
      [OPTIONS, OPTIONS, INVITE].map((each) => each.toString()),
    );
  });

  it('is put together from parts that are captured in another order', () => {
    const [first, second] = [INVITE.subarray(0, 300), INVITE.subarray(300)];
    expect(join(sent(second), sent(OPTIONS), sent(first))).toEqual([OPTIONS, INVITE].map((each) => each.toString()));
  });

  it('is not a rest without its beginning, which is passed on after half a second', () => {
    const parts = new MessageParts();
    expect(parts.add(sent(INVITE.subarray(300)), 0)).toEqual([]);
    expect(packetTexts(parts.add(sent(OPTIONS), 600))).toEqual(
      [INVITE.subarray(300), OPTIONS].map((each) => each.toString()),
    );
  });

  it.each([
    ['with blank lines before it (RFC 3261, 7.5)', `\r\n\r\n${INVITE.toString()}`],
    ['with a blank after the version', INVITE.toString().replace(' SIP/2.0\r\n', ' SIP/2.0 \r\n')],
  ])('is passed on at once as a whole message %s', (_what, text) => {
    const found = new MessageParts().add(sent(Buffer.from(text)), 0);
    expect(packetTexts(found)).toEqual([text.trimStart()]);
  });

  it('is put together with a part that begins with the blank line after its headers, and has another message after it', () => {
    const headEnd = OPTIONS.indexOf('\r\n\r\n');
    const second = Buffer.concat([OPTIONS.subarray(headEnd), INVITE]);
    expect(join(sent(OPTIONS.subarray(0, headEnd)), sent(second))).toEqual(
      [OPTIONS, INVITE].map((each) => each.toString()),
    );
  });

  it('is read at once with blank lines before it while another message has no end', () => {
    const parts = new MessageParts();
    parts.add(sent(INVITE.subarray(0, INVITE.length - 40)), 0);
    expect(packetTexts(parts.add(sent(Buffer.concat([Buffer.from('\r\n'), OPTIONS])), 1))).toEqual([
      OPTIONS.toString(),
    ]);
  });

  it('is put together whatever else is marked as SIP', () => {
    const parts = new MessageParts();
    const other = (n: number): CapturedPacket =>
      sent(Buffer.from(`${n}\r\nno part`), { source: { ip: PHONE.ip, port: n + 1 } });
    const passedOn = Array.from({ length: 2_000 }, (_, n) => parts.add(other(n), 0)).flat();
    expect(passedOn).toHaveLength(1_900);
    expect(parts.add(sent(INVITE.subarray(0, 300)), 0)).toEqual([]);
    expect(packetTexts(parts.add(sent(INVITE.subarray(300)), 1))).toEqual([INVITE.toString()]);
  });

  it('is read as far as it goes if its end does not come within half a second', () => {
    const parts = new MessageParts();
    const first = sent(INVITE.subarray(0, 300));
    expect(parts.add(first, 0)).toEqual([]);
    expect(parts.sweep(499)).toEqual([]);
    expect(packetTexts(parts.add(sent(OPTIONS), 500))).toEqual([
      `${first.payload.toString()} (cut)`,
      OPTIONS.toString(),
    ]);
    expect(parts.end()).toEqual([]);
  });

  it('is left as it is if it is no part: without Content-Length, in another direction, or not SIP', () => {
    const whole = Buffer.from(INVITE.toString().replace(/Content-Length: \d+\r\n/, ''));
    const [beginning, end] = [sent(INVITE.subarray(0, 300)), sent(INVITE.subarray(300), { source: PROXY })];
    expect(join(sent(whole))).toEqual([whole.toString()]);
    expect(join(beginning, end)).toEqual([`${beginning.payload.toString()} (cut)`, end.payload.toString()]);
    expect(join(sent(Buffer.from('\r\n\r\n')))).toEqual(['\r\n\r\n']);
  });

  it('is left as it is if it was captured as a datagram', () => {
    const { isFromAgent: _agent, ...datagram } = sent(INVITE.subarray(0, 300));
    expect(join(datagram)).toEqual([datagram.payload.toString()]);
  });

  it('takes bounded memory and time, whatever is sent', () => {
    const parts = new MessageParts();
    const begun = process.cpuUsage();
    let found = 0;
    for (let n = 0; n < 20_000; n++) {
      found += parts.add(sent(INVITE.subarray(0, 300), { source: { ip: PHONE.ip, port: n % 7 } }), n / 1_000).length;
    }
    expect(found).toBe(19_000);
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(5_000);
  });
});
