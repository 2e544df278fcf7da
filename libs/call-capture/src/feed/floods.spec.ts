import type { CapturedPacket } from '@ringdown/capture';
import { u32 } from '@ringdown/capture/test/write-hep.js';
import { usedMemory } from '@ringdown/testing/used-memory';
import { BOB_ANSWERING, request, response, sdp } from '../../test/sip-messages.js';
import { rtcpReport } from '../../test/write-rtcp.js';
import { writeRtp } from '../../test/write-rtp.js';
import { FrontEndFeed } from './front-end-feed.js';

/** Twice as many as calls are kept. */
const PACKETS = 40_000;
const AT = 1_760_000_000_000;
const HOUR_MS = 3_600_000;
const PROXY = { ip: '192.0.2.1', port: 5_060 };
const ALICE = { ip: '192.0.2.10', port: 4_000 };
const BOB = { ip: '192.0.2.20', port: 5_000 };

function sip(payload: Buffer): CapturedPacket {
  return { source: PROXY, destination: PROXY, content: 'sip', payload };
}

/** Another place for each number. */
function place(n: number): { readonly ip: string; readonly port: number } {
  return { ip: `10.${n & 255}.${(n >> 8) & 255}.1`, port: 1_024 + (n % 60_000) };
}

/** Two packets of each stream, so that they prove to be streams. */
function rtp(n: number, source = ALICE, destination = BOB): CapturedPacket {
  const payload = writeRtp({ ssrc: 1_000 + (n >> 1), sequence: n & 1, timestamp: (n & 1) * 160 });
  return { source, destination, content: 'rtp', payload };
}

function report(ssrc: number, about: number): Buffer {
  return rtcpReport({ ssrc, about, fractionLost: 3, stamp: ssrc });
}

/** A sender leaves (RFC 3550, 6.6). */
function rtcpBye(ssrc: number): Buffer {
  return Buffer.concat([Buffer.from([0x81, 203, 0, 1]), u32(ssrc)]);
}

/** Of one stream between the parties. */
function atTwoTimes(n: number): CapturedPacket {
  const payload = writeRtp({ sequence: n, timestamp: n * 160 });
  return { ...rtp(0), payload, capturedAt: AT + n * 20 + (n % 2) * HOUR_MS };
}

function unknownReport(n: number): CapturedPacket {
  const addresses = { source: place(n), destination: place(n + 9) };
  return { ...addresses, content: 'rtcp', correlationId: `x${n}`, payload: report(n, 1) };
}

function reinvite(n: number): CapturedPacket {
  const body = sdp(place(n).ip, place(n).port);
  return sip(request('INVITE', { cseq: n + 2, to: BOB_ANSWERING, branch: `b${n}`, body }));
}

describe('a flood', () => {
  it.each<[what: string, packet: (n: number) => CapturedPacket]>([
    ['unknown RTP streams', (n) => rtp(n, place(n >> 1), place((n >> 1) + 7))],
    ['RTP streams of one packet', (n) => rtp(n << 1, place(n), PROXY)],
    ['SSRCs at the ports of one call', (n) => rtp(n)],
    ['RTP packets at times an hour apart', atTwoTimes],
    ['SSRCs in the reports of one call', (n) => ({ ...rtp(0), content: 'rtcp', payload: report(n, n + 1) })],
    ['reports of unknown calls', unknownReport],
    ['RTCP packets without reports', (n) => ({ ...rtp(0), content: 'rtcp', payload: rtcpBye(n) })],
    ['invitations', (n) => sip(request('INVITE', { callId: `call-${n}`, body: sdp(place(n).ip, place(n).port) }))],
    ['invitations with one Call-ID', (n) => sip(request('INVITE', { callId: 'one', from: `<sip:a@x>;tag=${n}` }))],
    ['responses without requests', (n) => sip(response('200 OK', 'INVITE', { callId: `call-${n}` }))],
    ['forks of one call', (n) => sip(response('180 Ringing', 'INVITE', { to: `<sip:bob@example.test>;tag=${n}` }))],
    ['re-INVITEs of one call', reinvite],
    ['failed registrations', (n) => sip(response('403 Forbidden', 'REGISTER', { callId: `r${n}`, branch: `r${n}` }))],
    ['REFERs', (n) => sip(request('REFER', { cseq: n + 2, headers: [`Refer-To: <sip:x${n}@example.test>`] }))],
  ])('of 40,000 %s takes less than 160 MB, and all are counted', (_what, packet) => {
    let records = 0;
    const feed = new FrontEndFeed({ frontEnd: 'fe', version: 'D', onRecord: () => records++ });
    feed.process(sip(request('INVITE', { body: sdp(ALICE.ip, ALICE.port) })), 0, AT);
    feed.process(sip(response('200 OK', 'INVITE', { body: sdp(BOB.ip, BOB.port) })), 0, AT);
    const before = usedMemory();
    for (let n = 0; n < PACKETS; n++) {
      feed.process(packet(n), n, AT + n);
      if (n % 1_000 === 0) feed.sweep(n);
    }
    expect(usedMemory() - before).toBeLessThan(160e6);
    const { uncounted, unplaced: _unplaced, ...counts } = feed.counts;
    const counted = [...Object.values(counts), ...Object.values(uncounted)].reduce((sum, count) => sum + count, 0);
    expect(counted).toBeGreaterThanOrEqual(PACKETS + 2);
    feed.finish();
    expect(records).toBeGreaterThan(0);
  });
});
