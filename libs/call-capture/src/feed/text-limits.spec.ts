import { IdentityHiding } from '@ringdown/identity-hiding';
import { defaultProfile } from '@ringdown/vendor-profile';
import { readFeedMessage, writeRecord } from '@ringdown/xml-schemas';
import type { DiagnosticsRecord, Endpoint } from '@ringdown/xml-schemas/record';
import { CALLEE_SDP, CALLER_SDP } from '../../test/played-call.js';
import { BOB, request, response } from '../../test/sip-messages.js';
import { FrontEndFeed } from './front-end-feed.js';

const HOME = { ip: '192.0.2.1', port: 5_060 };
const LONG = 'x'.repeat(20_000);
const AT = Date.UTC(2026, 0, 2);
const hiding = new IdentityHiding('seed of these very tests');

interface FeedOutput {
  readonly records: readonly DiagnosticsRecord[];
  readonly rejected: readonly string[];
}

/** The records for these messages, which a collector must accept, and the reasons for rejected messages. */
function outputOf(messages: readonly Buffer[], options: { readonly hiding?: IdentityHiding } = {}): FeedOutput {
  const [records, rejected]: [DiagnosticsRecord[], string[]] = [[], []];
  const feed = new FrontEndFeed({
    frontEnd: 'fe1',
    version: 'D',
    onRecord: (record) => records.push(record),
    onRejected: (reason) => rejected.push(reason),
    ...options,
  });
  for (const [at, payload] of messages.entries()) {
    feed.process({ source: HOME, destination: HOME, content: 'sip', payload }, at, AT);
  }
  feed.sweep(60_000);
  for (const record of records) readFeedMessage(writeRecord(record, defaultProfile), defaultProfile);
  return { records, rejected };
}

function callerOf({ records }: FeedOutput): Endpoint | undefined {
  const [event] = records.flatMap(({ events }) => events);
  return event && 'caller' in event ? event.caller : undefined;
}

function invited(...headers: readonly string[]): Buffer {
  return request('INVITE', { headers, body: CALLER_SDP });
}

describe('text from SIP in records', () => {
  it('is kept whole up to the limits of records', () => {
    const [agent, identity] = ['x'.repeat(1_024), `sip:${'x'.repeat(2_000)}@a.test`];
    const caller = callerOf(outputOf([invited(`User-Agent: ${agent}`, `P-Asserted-Identity: ${identity}`)]));
    expect(caller).toMatchObject({ userAgent: agent, assertedIdentity: identity });
  });

  it('is truncated and marked if only people read it', () => {
    expect(callerOf(outputOf([invited(`User-Agent: ${LONG}`)]))?.userAgent).toBe(`${'x'.repeat(1_023)}…`);
    const refusal = response(`500 ${LONG}`, 'INVITE', { to: BOB });
    const [event] = outputOf([invited(), refusal])
      .records.flatMap(({ events }) => events.slice(-1))
      .slice(-1);
    expect(event).toMatchObject({ kind: 'error', responseCode: { phrase: `${'x'.repeat(1_023)}…` } });
  });

  it('is left out if a part of it would be another address or id', () => {
    const headers = [`P-Asserted-Identity: sip:${LONG}`, `Contact: <sip:${LONG}>`].map((line) => line.slice(0, 9_000));
    const answer = outputOf([invited(...headers, `Session-ID: ${LONG.slice(0, 600)}`)]);
    expect(callerOf(answer)).toEqual({ id: 'a1', uri: 'sip:alice@example.test' });
    expect(answer.records[0]?.connection.conversationId).toBe('call-1');
  });

  it.each([
    ['tag', { from: `<sip:alice@example.test>;tag=${'x'.repeat(513)}` }, 'the tag is too long: 513 characters'],
    ['address', { from: `<sip:${'x'.repeat(2_045)}>;tag=a1` }, 'from is too long: 2049 characters'],
  ])('is rejected with a %s that is too long to identify a party', (_what, parts, reason) => {
    expect(outputOf([request('INVITE', parts)])).toEqual({ records: [], rejected: [reason] });
  });

  it('is accepted by a collector even if hiding the users makes it longer', () => {
    const many = invited(`P-Asserted-Identity: ${Array.from({ length: 250 }, (_, at) => `a${at}@b`).join(',')}`);
    expect(callerOf(outputOf([many], { hiding }))).toMatchObject({ id: 'a1' });
  });
});

describe('a quality report in records', () => {
  it('keeps the measurements and leaves out invalid times', () => {
    const body = `VQSessionReport\r\nCallID: call-1\r\nLocalMetrics:\r\nTimestamps:START=${LONG} STOP=${LONG}\r\nLocalAddr:IP=192.0.2.10 PORT=4000\r\nPacketLoss:NLR=5.0\r\n`;
    const report = request('PUBLISH', { callId: 'other', contentType: 'application/vq-rtcpxr', body });
    const bye = request('BYE', { cseq: 2, to: '<sip:bob@example.test>;tag=b1' });
    const { records } = outputOf([invited(), response('200 OK', 'INVITE', { body: CALLEE_SDP }), report, bye]);
    const last = records.at(-1);
    expect(last?.events).toMatchObject([{ kind: 'qualityUpdate', metrics: { PacketLossRate: { value: 0.05 } } }]);
    expect(last?.connection.startTime).toBe('2026-01-02T00:00:00.0000000Z');
  });
});
