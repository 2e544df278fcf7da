import {
  type CapturedPacket,
  type TransportAddress,
  CaptureError,
  CaptureReader,
  HepError,
  HepStream,
  type PacketContent,
  PacketsInFrames,
  readHep,
} from '@ringdown/capture';
import { IdentityHiding } from '@ringdown/identity-hiding';
import type { Dice } from '@ringdown/testing/fuzz/dice';
import { fuzzedReader, type FuzzedReader } from '@ringdown/testing/fuzz/fuzzed-reader';
import { pumpString } from '@ringdown/testing/fuzz/pumps';
import { defaultProfile } from '@ringdown/vendor-profile';
import { readAcceptedVersions, readFeedMessage, writeRecord } from '@ringdown/xml-schemas';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { FrontEndFeed } from '../../src/feed/front-end-feed.js';
import { readRtcp } from '../../src/quality/read-rtcp.js';
import { readRtcpJson } from '../../src/quality/read-rtcp-json.js';
import { readVoiceReport } from '../../src/quality/read-voice-report.js';
import { readRtpStatistics } from '../../src/rtp/read-rtp-statistics.js';
import { readSip } from '../../src/sip/read-sip.js';
import { readSessionDescription } from '../../src/sip/session-description.js';
import { SipSyntaxError } from '../../src/sip/sip-syntax-error.js';
import { readTrickleFragment } from '../../src/sip/trickle-fragment.js';
import { CALLEE_SDP, CALLER_SDP } from '../played-call.js';
import { request, response, sdp } from '../sip-messages.js';
import { damagedCall, playDamagedCall } from './damaged-calls.js';
import { pumpedCapture, pumpedHep, pumpedRtcp, pumpedRtcpJson } from './pumped-packets.js';
import { measureRtp, pumpedRtp, pumpedRtpStatistics } from './pumped-rtp.js';
import { rtcpReport } from '../write-rtcp.js';
import { pumpedSdp, pumpedSip, pumpedVoiceReport } from './pumped-sip.js';

const HOME = { ip: '192.0.2.1', port: 5_060 };
const ALICE = { ip: '192.0.2.10', port: 4_000 };
const HOUR_MS = 3_600_000;
/** Size of the chunks that a TLS or TCP socket delivers. */
const PIECE = 16_384;
const HTTP_LIMIT = 80_000;
const hiding = new IdentityHiding('seed of the readers of pump strings');
const callId = 'pumped';

/** A call with pump strings in its messages, from the INVITE to the quality report. */
function pumpedDialog(dice: Dice): readonly Buffer[] {
  const answer = response('200 OK', 'INVITE', { callId, body: CALLEE_SDP });
  const usual = [request('INVITE', { callId, body: CALLER_SDP }), answer, request('BYE', { callId, cseq: 2 })];
  return usual.flatMap((message) =>
    dice.onceIn(3) ? [pumpedSip(dice)] : dice.onceIn(4) ? [message, pumpedSip(dice)] : [message],
  );
}

/** Makes records of captured SIP, and reads them back as a collector does, which must accept all of them. */
function runFeed(payloads: readonly Buffer[], content: PacketContent = 'sip'): void {
  const records: DiagnosticsRecord[] = [];
  const onRecord = (record: DiagnosticsRecord): unknown => records.push(record);
  const feed = new FrontEndFeed({ frontEnd: 'fe1', version: 'D', hiding, onRecord });
  const rtcp = Buffer.from('{"report_blocks":[{"source_ssrc":1,"fraction_lost":64,"ia_jitter":160}]}');
  for (const [at, payload] of payloads.entries()) {
    feed.process({ source: HOME, destination: HOME, content, payload }, at, HOUR_MS);
    feed.process(
      { source: ALICE, destination: HOME, content: 'rtcp', correlationId: callId, payload: rtcp },
      at,
      HOUR_MS,
    );
  }
  feed.sweep(HOUR_MS);
  for (const record of records) readFeedMessage(Buffer.from(writeRecord(record, defaultProfile)), defaultProfile);
}

/** A call whose media are any RTP: impossible measurements would make records that no collector accepts. */
function runCallWithRtp(packets: ReturnType<typeof pumpedRtp>): void {
  const records: DiagnosticsRecord[] = [];
  const onRecord = (record: DiagnosticsRecord): unknown => records.push(record);
  const feed = new FrontEndFeed({ frontEnd: 'fe1', version: 'D', hiding, onRecord });
  const sip = (payload: Buffer, at: number): void =>
    feed.process({ source: HOME, destination: HOME, content: 'sip', payload }, at, HOUR_MS);
  sip(request('INVITE', { callId, body: sdp(HOME.ip, 1) }), 0);
  for (const [n, { at, ...packet }] of packets.entries()) {
    if (n === 50) sip(response('200 OK', 'INVITE', { callId, body: sdp(HOME.ip, 2) }), n);
    feed.process({ ...packet, content: 'rtp', capturedAt: HOUR_MS + at }, n, HOUR_MS);
    if (n % 100 === 0) feed.sweep(n * 1_000);
  }
  feed.finish();
  for (const record of records) readFeedMessage(Buffer.from(writeRecord(record, defaultProfile)), defaultProfile);
}

/** Reports of a call from any address, with changing SSRCs and capture times; some are damaged. */
function pumpedReports(dice: Dice): readonly CapturedPacket[] {
  const place = (): TransportAddress => ({
    ip: dice.of(['192.0.2.10', '192.0.2.20', `198.51.100.${dice.below(200)}`]),
    port: dice.of([4_000, 4_001, 5_001, 1 + dice.below(65_535)]),
  });
  return Array.from({ length: dice.onceIn(20) ? 2_000 : 20 }, () => {
    const parts = {
      ssrc: dice.below(dice.of([4, 4_294_967_295])),
      about: dice.below(4),
      fractionLost: dice.below(256),
    };
    const times = {
      stamp: dice.below(8) * 65_536,
      lastStamp: dice.below(8) * 65_536,
      delay: dice.below(4_294_967_295),
    };
    return {
      content: 'rtcp',
      source: place(),
      destination: place(),
      capturedAt: dice.of([0, HOUR_MS, HOUR_MS + dice.below(1_000_000), 4_294_967_295_000]),
      ...(dice.onceIn(2) ? { correlationId: callId } : {}),
      payload: dice.onceIn(10) ? pumpedRtcp(dice) : rtcpReport({ ...parts, ...times }),
    };
  });
}

/** Adds reports to a call, which a collector must accept whatever they contain. */
function runReports(reports: readonly CapturedPacket[]): void {
  const records: DiagnosticsRecord[] = [];
  const onRecord = (record: DiagnosticsRecord): unknown => records.push(record);
  const feed = new FrontEndFeed({ frontEnd: 'fe1', version: 'D', onRecord });
  const offer = request('INVITE', { callId, body: CALLER_SDP });
  const answer = response('200 OK', 'INVITE', { callId, body: CALLEE_SDP });
  const sip = [offer, answer].map((payload) => ({ source: HOME, destination: HOME, content: 'sip' as const, payload }));
  for (const [at, packet] of [...sip, ...reports].entries()) {
    feed.process(packet, at * 100, HOUR_MS);
    feed.sweep(at * 100);
  }
  feed.finish();
  for (const record of records) readFeedMessage(Buffer.from(writeRecord(record, defaultProfile)), defaultProfile);
}

function readStream(bytes: Buffer): void {
  const stream = new HepStream();
  for (let at = 0; at < bytes.length; at += PIECE) {
    for (const packet of stream.push(bytes.subarray(at, at + PIECE))) readHep(packet);
  }
}

function readCapture(file: Buffer): void {
  const [reader, packets] = [new CaptureReader(), new PacketsInFrames()];
  for (let at = 0; at < file.length; at += PIECE) {
    for (const frame of reader.push(file.subarray(at, at + PIECE))) Array.from(packets.add(frame));
  }
  reader.end();
  Array.from(packets.end());
}

/** Everything of packets that becomes records, and the configurations that choose their version. */
export const readers: readonly FuzzedReader[] = [
  fuzzedReader('sender: SIP', pumpedSip, readSip, [SipSyntaxError]),
  fuzzedReader('sender: calls of SIP, up to the records', pumpedDialog, runFeed),
  fuzzedReader('sender: session descriptions', pumpedSdp, readSessionDescription),
  fuzzedReader('sender: candidates in parts of session descriptions', pumpedSdp, readTrickleFragment),
  fuzzedReader('sender: voice quality reports', pumpedVoiceReport, readVoiceReport),
  fuzzedReader('sender: HEP packets', pumpedHep, (bytes) => readHep(bytes), [HepError]),
  fuzzedReader('sender: HEP streams', (dice) => Buffer.concat([pumpedHep(dice), pumpedHep(dice)]), readStream, [
    HepError,
  ]),
  fuzzedReader('sender: captures', pumpedCapture, readCapture, [CaptureError]),
  fuzzedReader('sender: captures of calls, damaged, up to the records', damagedCall, playDamagedCall),
  fuzzedReader('sender: RTCP', pumpedRtcp, readRtcp),
  fuzzedReader('sender: RTCP as JSON', pumpedRtcpJson, readRtcpJson),
  fuzzedReader('sender: RTP', pumpedRtp, measureRtp),
  fuzzedReader('sender: calls with RTP, up to the records', pumpedRtp, runCallWithRtp),
  fuzzedReader('sender: statistics of RTP as JSON', pumpedRtpStatistics, readRtpStatistics),
  fuzzedReader('sender: quality reports of a call, up to the records', pumpedReports, runReports),
  fuzzedReader(
    'sender: configurations of collectors',
    (dice) => `<Configuration ${pumpString(dice, HTTP_LIMIT)} AcceptedVersions="${pumpString(dice, 1_000)}"/>`,
    readAcceptedVersions,
  ),
];
