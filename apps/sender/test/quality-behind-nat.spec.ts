import { writeHep } from '@ringdown/capture/test/write-hep.js';
import { Metrics } from '@ringdown/observability';
import { eventually } from '@ringdown/testing/eventually';
import { Started } from '@ringdown/testing/started';
import { defaultProfile } from '@ringdown/vendor-profile';
import { readFeedMessage } from '@ringdown/xml-schemas';
import type { QualityEvent } from '@ringdown/xml-schemas/record';
import { createSocket } from 'node:dgram';
import type { RunningSender } from '../src/run/running-sender.js';
import { RecordingCollector } from '@ringdown/feed-client/test/recording-collector.js';
import { BOB_ANSWERING, request, response, sdp } from '@ringdown/call-capture/test/sip-messages.js';
import { startSender } from './start-sender.js';
import { rtcpReport } from '@ringdown/call-capture/test/write-rtcp.js';

/** Alice's phone is behind NAT; her session description has the address that it knows. */
const AT_HOME = '192.168.1.10';
const NAT = { ip: '198.51.100.7', port: 61_001 };
const BOB = { ip: '203.0.113.20', port: 5_001 };
/** 15 of 100, in 256ths. */
const FIFTEEN_PERCENT = 38;
const [ALICES, BOBS] = [0xa11ce, 0xb0b];

describe('a running sender, for a call behind NAT', () => {
  const started = new Started();
  let collector: RecordingCollector;
  let sender: RunningSender;
  let metrics: Metrics;

  async function send(...packets: readonly Buffer[]): Promise<void> {
    const socket = createSocket('udp4');
    for (const packet of packets) {
      await new Promise((resolve) => socket.send(packet, sender.port, '127.0.0.1', resolve));
    }
    socket.close();
  }

  /** Loss of each direction by its receiver's tag. */
  function lossOf(): Promise<Record<string, unknown>> {
    return eventually('the quality of both directions', () => {
      const events = collector.records.flatMap(({ body }) => {
        const message = readFeedMessage(Buffer.from(body), defaultProfile);
        return message.kind === 'record' ? message.record.events : [];
      });
      const reports = events.filter((event): event is QualityEvent => event.kind === 'qualityUpdate');
      if (reports.length < 2) return false;
      return Object.fromEntries(reports.map(({ to, metrics: of }) => [to?.id ?? '', of['PacketLossRate']?.value]));
    });
  }

  const callId = 'call-1';
  const sip = (payload: Buffer): Buffer => writeHep({ payload });
  const invitation = sip(request('INVITE', { body: sdp(AT_HOME, 4_000) }));
  const answer = (body: string): Buffer => sip(response('200 OK', 'INVITE', { body }));
  const bye = sip(request('BYE', { cseq: 2, to: BOB_ANSWERING }));

  beforeEach(async () => {
    metrics = new Metrics();
    collector = started.add(await RecordingCollector.start());
    sender = started.add(await startSender(collector.url, { version: 'D', limits: { qualityWaitMs: 200 }, metrics }));
  });

  afterEach(() => started.stopAll());

  it.each([
    ['with the id of the call', { correlationId: callId }],
    ['without an id', {}],
  ])('reports 15 %% loss for the side that receives so little, %s', async (_how, named) => {
    const fromAlice = rtcpReport({ ssrc: ALICES, about: BOBS, fractionLost: FIFTEEN_PERCENT });
    const fromBob = rtcpReport({ ssrc: BOBS, about: ALICES, fractionLost: 0 });
    await send(
      invitation,
      answer(sdp(BOB.ip, 5_000)),
      writeHep({ type: 5, source: NAT, destination: BOB, payload: fromAlice, ...named }),
      writeHep({ type: 5, source: BOB, destination: NAT, payload: fromBob, ...named }),
      bye,
    );
    expect(await lossOf()).toEqual({ a1: 0.1484, b1: 0 });
  });

  it('reports it also with a relay between, for packets in both directions and at both sides of it', async () => {
    const [forAlice, forBob] = [
      { ip: '203.0.113.99', port: 30_001 },
      { ip: '203.0.113.99', port: 30_003 },
    ];
    const behindProxy = { branch: 'z9hG4bK-proxy' };
    const bobsNat = { ip: '198.51.100.8', port: 62_001 };
    const fromAlice = rtcpReport({ ssrc: ALICES, about: BOBS, fractionLost: FIFTEEN_PERCENT });
    const fromBob = rtcpReport({ ssrc: BOBS, about: ALICES, fractionLost: 0 });
    await send(
      invitation,
      sip(request('INVITE', { ...behindProxy, body: sdp(forBob.ip, 30_002) })),
      sip(response('200 OK', 'INVITE', { ...behindProxy, body: sdp('192.168.1.10', 4_000) })),
      answer(sdp(forAlice.ip, 30_000)),
      writeHep({ type: 5, source: NAT, destination: forAlice, payload: fromAlice }),
      writeHep({ type: 5, source: forBob, destination: bobsNat, payload: fromAlice }),
      writeHep({ type: 5, source: bobsNat, destination: forBob, payload: fromBob }),
      writeHep({ type: 5, source: forAlice, destination: NAT, payload: fromBob }),
      bye,
    );
    expect(await lossOf()).toEqual({ a1: 0.1484, b1: 0 });
  });

  it('reports bad quality during the call, with the round trip', async () => {
    const at = 1_760_000_000_000;
    const bad = { fractionLost: FIFTEEN_PERCENT };
    const second = 65_536;
    await send(
      invitation,
      answer(sdp(BOB.ip, 5_000)),
      writeHep({
        type: 5,
        at,
        source: NAT,
        destination: BOB,
        payload: rtcpReport({ ssrc: ALICES, about: BOBS, stamp: 1_000_000, ...bad }),
      }),
      writeHep({
        type: 5,
        at: at + 1_080,
        source: BOB,
        destination: NAT,
        payload: rtcpReport({
          ssrc: BOBS,
          about: ALICES,
          fractionLost: 0,
          stamp: 2_000_000,
          lastStamp: 1_000_000,
          delay: second,
        }),
      }),
      writeHep({
        type: 5,
        at: at + 3_120,
        source: NAT,
        destination: BOB,
        payload: rtcpReport({ ssrc: ALICES, about: BOBS, lastStamp: 2_000_000, delay: 2 * second, ...bad }),
      }),
    );
    const body = await eventually('quality during the call', () => {
      return collector.records.map((record) => record.body).find((each) => each.includes('<InCallQuality'));
    });
    expect(body).toMatch(/<InCallQuality Type="audio"><From><Id>b1<.*<To><Id>a1<.*<PacketLossRate>0\.1484</);
    expect(body).toContain('<RoundTrip>120</RoundTrip>');
  });

  it('counts the reports that it cannot place, by reason', async () => {
    const report = rtcpReport({ ssrc: ALICES, about: BOBS, fractionLost: 0 });
    const [nobody, nowhere] = [
      { ip: '192.0.2.98', port: 1 },
      { ip: '192.0.2.99', port: 2 },
    ];
    await send(
      invitation,
      answer(sdp(BOB.ip, 5_000)),
      writeHep({ type: 5, source: nobody, destination: nowhere, payload: report }),
      writeHep({ type: 5, source: nobody, destination: nowhere, payload: report, correlationId: callId }),
      writeHep({ type: 5, source: BOB, destination: BOB, payload: report }),
      writeHep({ type: 5, source: NAT, destination: BOB, payload: 'no RTCP' }),
    );
    const uncounted = await eventually('four reports that do not count', async () => {
      const metric = await metrics.registry.getSingleMetric('ringdown_sender_quality_reports_uncounted_total')?.get();
      const values = metric?.values.filter(({ value }) => value > 0) ?? [];
      return values.length === 4 && Object.fromEntries(values.map(({ labels, value }) => [labels['reason'], value]));
    });
    expect(uncounted).toEqual({ 'unknown call': 1, 'no evidence': 1, 'contradicting evidence': 1, unreadable: 1 });
  });
});
