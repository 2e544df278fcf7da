import { defaultProfile } from '@ringdown/vendor-profile';
import { convertRecord, readFeedMessage, writeRecord, type OutputVersion } from '@ringdown/xml-schemas';
import * as fc from 'fast-check';
import { BY_BOB, CALLEE_SDP, CALLER_SDP, PlayedCall } from '../../test/played-call.js';
import { request, response, sdp } from '../../test/sip-messages.js';

const IN_DIALOG = { to: BY_BOB.from };
const VIDEO = { cseq: 2, ...IN_DIALOG };

/** Every message that may be captured of one call, and some that do not belong to it. */
const MESSAGES: readonly Buffer[] = [
  request('INVITE', { body: CALLER_SDP }),
  request('INVITE', { body: sdp('198.51.100.1', 7), branch: 'z9hG4bK-fork' }),
  response('100 Trying', 'INVITE'),
  response('183 Session Progress', 'INVITE', { body: CALLEE_SDP, to: '<sip:bob@example.test>;tag=b2' }),
  response('404 Not Found', 'INVITE', { branch: 'z9hG4bK-fork' }),
  response('200 OK', 'INVITE', { body: CALLEE_SDP }),
  response('200 OK', 'INVITE', { body: CALLEE_SDP, to: '<sip:bob@example.test>;tag=b2' }),
  request('ACK', { ...IN_DIALOG, body: CALLER_SDP }),
  request('INVITE', { ...VIDEO, body: sdp('192.0.2.10', 4_000, { videoPort: 4_002 }) }),
  response('200 OK', 'INVITE', { ...VIDEO, body: sdp('192.0.2.20', 5_000, { videoPort: 5_002 }) }),
  request('UPDATE', { ...BY_BOB, cseq: 1, body: sdp('192.0.2.20', 5_000, { audio: ['a=sendonly'] }) }),
  response('200 OK', 'UPDATE', { ...BY_BOB, cseq: 1, body: CALLER_SDP }),
  request('CANCEL', { headers: ['Reason: SIP;cause=200;text="\u0001<&"'] }),
  response('487 \u0007 "Request" <Terminated>', 'INVITE'),
  request('BYE', { ...IN_DIALOG, cseq: 3, headers: ['Reason: Q.850 ;; cause="'] }),
  request('BYE', { ...BY_BOB, cseq: 2 }),
];
const VERSIONS: readonly OutputVersion[] = ['D', 'C', '1.0'];

const order = fc.array(fc.constantFrom(...MESSAGES), { maxLength: 40 });
const reports = fc.array(fc.tuple(fc.nat(40), fc.constantFrom('192.0.2.10', '192.0.2.20'), fc.nat(255)), {
  maxLength: 5,
});

function play(messages: readonly Buffer[], measured: readonly (readonly [number, string, number])[]): PlayedCall {
  const call = new PlayedCall();
  for (const [index, message] of messages.entries()) {
    call.receive(message);
    for (const [, ip, lost] of measured.filter(([at]) => at === index)) {
      call.rtcp(ip, 1, { report_blocks: [{ source_ssrc: 1, fraction_lost: lost, ia_jitter: 3 }] }, 'call-1');
    }
  }
  call.pass(5_000);
  return call;
}

describe('a call whose messages arrive in any order, some twice and some never', () => {
  it('ends at most once, and has no events after its end', () => {
    fc.assert(
      fc.property(order, (messages) => {
        const kinds = play(messages, []).records.flatMap(({ events }) => events.map(({ kind }) => kind));
        expect(kinds.filter((kind) => kind === 'bye' || kind === 'error').length).toBeLessThanOrEqual(1);
        const end = kinds.findIndex((kind) => kind === 'bye' || kind === 'error');
        expect(end === -1 ? [] : kinds.slice(end + 1)).toEqual([]);
      }),
    );
  });

  it('starts no running stream, and ends no stream that is not running', () => {
    fc.assert(
      fc.property(order, (messages) => {
        const running = new Map([
          ['audio', 0],
          ['video', 0],
        ]);
        const events = play(messages, []).records.flatMap((record) => record.events);
        const isAdopted = events.find(({ kind }) => kind === 'start' || kind === 'update')?.kind === 'update';
        for (const event of events) {
          const type = 'mediaType' in event ? (event.mediaType ?? '') : '';
          const known = running.get(type) ?? 0;
          // The first update of a call whose start was not captured reports a running stream.
          const isNew = event.kind === 'start' || (event.kind === 'update' && known < 2 && isAdopted);
          const change = isNew ? 1 : event.kind === 'ended' ? -1 : 0;
          running.set(type, known + change);
          expect([0, 1, 2]).toContain(running.get(type));
        }
      }),
    );
  });

  it.each(VERSIONS)('makes records of version %s that are the same when read back', (version) => {
    fc.assert(
      fc.property(order, reports, (messages, measured) => {
        for (const record of play(messages, measured).records.flatMap((each) => convertRecord(each, version))) {
          const read = readFeedMessage(Buffer.from(writeRecord(record, defaultProfile)), defaultProfile);
          const again = read.kind === 'record' ? writeRecord(read.record, defaultProfile) : '';
          expect(again).toBe(writeRecord(record, defaultProfile));
          expect(record.events).not.toEqual([]);
        }
      }),
    );
  });
});
