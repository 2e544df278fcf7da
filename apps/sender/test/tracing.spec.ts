import { writeHep } from '@ringdown/capture/test/write-hep.js';
import { BOB_ANSWERING, request, response } from '@ringdown/call-capture/test/sip-messages.js';
import { rtcpReport } from '@ringdown/call-capture/test/write-rtcp.js';
import { CALLEE_SDP, CALLER_SDP } from '@ringdown/call-capture/test/played-call.js';
import { RecordingCollector, xml } from '@ringdown/feed-client/test/recording-collector.js';
import { IdentityHiding } from '@ringdown/identity-hiding';
import { Metrics } from '@ringdown/observability';
import { eventually } from '@ringdown/testing/eventually';
import { Started } from '@ringdown/testing/started';
import { createSocket } from 'node:dgram';
import type { RunningSender, SenderOptions } from '../src/run/running-sender.js';
import { startSender } from './start-sender.js';

const TRACING = { rtcp: false, queueLength: 100 };
const RECORDS_PER_CALL = 2;

interface Sent {
  readonly v: number;
  readonly frontEnd: string;
  readonly messages: readonly {
    readonly callId: string;
    readonly content: string;
    readonly payload: string;
    readonly point: string;
  }[];
}

function callPackets(callId: string): Buffer[] {
  return [
    request('INVITE', { callId, body: CALLER_SDP }),
    response('200 OK', 'INVITE', { callId, body: CALLEE_SDP }),
    request('ACK', { callId, to: BOB_ANSWERING }),
    request('BYE', { callId, cseq: 2, to: BOB_ANSWERING }),
  ].map((payload) => writeHep({ payload }));
}

describe('a sender with TRACE=on', () => {
  const started = new Started();
  let metrics: Metrics;
  let collector: RecordingCollector;
  /** The status for messages; undefined: no answer. */
  let status: number | undefined;

  beforeEach(async () => {
    metrics = new Metrics();
    status = 200;
    collector = started.add(await RecordingCollector.start());
    collector.answer = (reply, count) => {
      const { path } = collector.received.at(-1) ?? { path: '' };
      if (!path.endsWith('/TraceMessages')) return xml(reply, 200, `<Response><Count>${count}</Count></Response>`);
      if (status !== undefined) xml(reply, status, '<Response/>');
    };
  });
  afterEach(() => started.stopAll());

  async function start(more: Partial<Omit<SenderOptions, 'metrics'>> = {}): Promise<RunningSender> {
    const options = { version: '1.0', metrics, tracing: TRACING, limits: { qualityWaitMs: 0 }, ...more } as const;
    return started.add(await startSender(collector.url, options));
  }

  async function send(sender: RunningSender, packets: readonly Buffer[]): Promise<void> {
    const socket = createSocket('udp4');
    for (const packet of packets)
      await new Promise((resolve) => socket.send(packet, sender.port, '127.0.0.1', resolve));
    socket.close();
  }

  async function count(name: string, outcome: string): Promise<number> {
    const metric = await metrics.registry.getSingleMetric(`ringdown_${name}`)?.get();
    return metric?.values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0;
  }

  const traced = (outcome: string): Promise<number> => count('sender_trace_messages_total', outcome);
  const answered = (): Promise<number> => count('sender_records_total', 'answered');

  function batches(): readonly Sent[] {
    const posted = collector.records.filter(({ path }) => path.endsWith('/TraceMessages'));
    return posted.map(({ body }): Sent => JSON.parse(body));
  }

  it('sends the messages of calls in batches beside the records, and no others', async () => {
    const sender = await start();
    await send(sender, [writeHep({ payload: request('REGISTER', { callId: 'r1' }) }), ...callPackets('c1')]);
    await eventually('the messages', async () => (await traced('stored')) === 4);
    const messages = batches().flatMap((batch) => batch.messages);
    expect(messages.map(({ payload }) => Buffer.from(payload, 'base64').toString().split(' ', 1)[0])).toEqual([
      'INVITE',
      'SIP/2.0',
      'ACK',
      'BYE',
    ]);
    expect(new Set(messages.map(({ callId }) => callId))).toEqual(new Set(['c1']));
    expect(batches().map(({ v, frontEnd }) => [v, frontEnd])).toContainEqual([1, 'fe1']);
    await eventually('the records', async () => (await answered()) === RECORDS_PER_CALL);
  });

  it('sends the RTCP of a call that no capture agent marks with its Call-ID, and no other RTCP', async () => {
    const sender = await start({ tracing: { ...TRACING, rtcp: true } });
    const [invite, answer, ack, bye] = callPackets('c1').map((packet) => [packet]);
    for (const packets of [invite, answer, ack]) await send(sender, packets ?? []);
    const payload = rtcpReport({ ssrc: 7, about: 8, fractionLost: 64 });
    const [ofCall, ofOthers] = [
      { ip: '192.0.2.10', port: 4_001 },
      { ip: '192.0.2.77', port: 7_001 },
    ];
    for (const source of [ofOthers, ofCall]) {
      await send(sender, [writeHep({ type: 5, source, destination: { ip: '192.0.2.250', port: 9 }, payload })]);
    }
    await send(sender, bye ?? []);
    await eventually('the messages', async () => (await traced('stored')) === 5);
    const sent = batches().flatMap(({ messages }) => messages);
    const expected = { callId: 'c1', content: 'rtcp', source: ofCall, payload: payload.toString('base64') };
    expect(sent.filter(({ content }) => content === 'rtcp')).toEqual([expect.objectContaining(expected)]);
  });

  it('sends nothing without it', async () => {
    const { tracing: _none, ...more } = { tracing: TRACING };
    const sender = started.add(await startSender(collector.url, { version: '1.0', metrics, ...more }));
    await send(sender, callPackets('c1'));
    await eventually('the records', async () => (await answered()) === RECORDS_PER_CALL);
    expect(batches()).toEqual([]);
  });

  it('counts messages that another collector refuses, and sends it its records', async () => {
    status = 400;
    const sender = await start();
    await send(sender, callPackets('c1'));
    await eventually('the refusal', async () => (await traced('refused')) === 4);
    await eventually('the records', async () => (await answered()) === RECORDS_PER_CALL);
    expect(await traced('stored')).toBe(0);
  });

  it.each([
    ['is full', 503],
    ['does not answer', undefined],
  ])('sends all records while the store of messages %s, and counts what it drops', async (_what, given) => {
    status = given;
    const sender = await start({ tracing: { rtcp: false, queueLength: 10 } });
    for (let n = 0; n < 50; n++) await send(sender, callPackets(`c${n}`));
    await eventually('all records', async () => (await answered()) === 50 * RECORDS_PER_CALL);
    expect(await traced('dropped')).toBe(50 * 4 - 10);
    expect(await traced('stored')).toBe(0);
  });

  it('sends the waiting messages again, the same ones, when the store works again', async () => {
    status = 503;
    const sender = await start();
    await send(sender, callPackets('c1'));
    await eventually('a try', () => batches().length > 0);
    status = 200;
    await eventually('the messages', async () => (await traced('stored')) === 4);
    expect(batches().at(-1)?.messages.length).toBeGreaterThanOrEqual(batches()[0]?.messages.length ?? 0);
  });

  it('hides users before messages leave it', async () => {
    const sender = await start({ hiding: new IdentityHiding('a seed for this test only') });
    await send(sender, callPackets('c1'));
    await eventually('the messages', async () => (await traced('stored')) === 4);
    const texts = batches().flatMap(({ messages }) => messages.map(({ payload }) => atob(payload)));
    expect(texts.join('\n')).not.toMatch(/alice|bob/i);
  });
});
