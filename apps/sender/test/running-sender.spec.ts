import { jest } from '@jest/globals';
import { writeHep } from '@ringdown/capture/test/write-hep.js';
import { IdentityHiding } from '@ringdown/identity-hiding';
import { Metrics } from '@ringdown/observability';
import { eventually } from '@ringdown/testing/eventually';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { defaultProfile } from '@ringdown/vendor-profile';
import { createSocket } from 'node:dgram';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectorAddress, SEND_ONCE } from '@ringdown/feed-client';
import type { RunningSender, SenderOptions } from '../src/run/running-sender.js';
import { CALLEE_SDP, CALLER_SDP } from '@ringdown/call-capture/test/played-call.js';
import { RecordingCollector, xml } from '@ringdown/feed-client/test/recording-collector.js';
import { BOB_ANSWERING, request, response } from '@ringdown/call-capture/test/sip-messages.js';
import { startSender } from './start-sender.js';

/** The captured packets of a call, from INVITE to BYE. */
function callPackets(callId: string, password?: string): Buffer[] {
  const messages = [
    request('INVITE', { callId, body: CALLER_SDP }),
    response('200 OK', 'INVITE', { callId, body: CALLEE_SDP }),
    request('ACK', { callId, to: BOB_ANSWERING }),
    request('BYE', { callId, cseq: 2, to: BOB_ANSWERING }),
  ];
  return messages.map((payload) => writeHep({ payload, ...(password === undefined ? {} : { password }) }));
}

async function sendUdp(port: number, packets: readonly Buffer[]): Promise<void> {
  const socket = createSocket('udp4');
  for (const packet of packets) await new Promise((resolve) => socket.send(packet, port, '127.0.0.1', resolve));
  socket.close();
}

function ended(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.resume();
  });
}

describe('a running sender', () => {
  const started = new Started();
  let metrics: Metrics;
  let collector: RecordingCollector;

  async function start(more: Partial<Omit<SenderOptions, 'metrics'>> = {}): Promise<RunningSender> {
    return started.add(await startSender(collector.url, { version: '1.0', metrics, ...more }));
  }

  async function number(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> {
    const metric = await metrics.registry.getSingleMetric(`ringdown_${name}`)?.get();
    const wanted = Object.entries(labels);
    const value = metric?.values.find((each) => wanted.every(([label, text]) => each.labels[label] === text));
    return value?.value ?? 0;
  }

  /** The collector has a record a moment before the sender has its answer. */
  async function answered(count: number): Promise<void> {
    const isDone = async (): Promise<boolean> =>
      (await number('sender_records_total', { outcome: 'answered' })) === count;
    await eventually(`${count} answers`, isDone);
  }

  function bodies(count: number): Promise<string[]> {
    return eventually(`${count} records`, () => {
      const records = collector.records.map(({ body }) => body);
      return records.length >= count && records;
    });
  }

  beforeEach(async () => {
    metrics = new Metrics();
    collector = started.add(await RecordingCollector.start());
  });

  afterEach(() => started.stopAll());

  it('requests the configuration, then sends the records of a call', async () => {
    const sender = await start();
    await sendUdp(sender.port, callPackets('call-1'));
    const [first = '', last = ''] = await bodies(2);
    expect(collector.received.map(({ path }) => path)).toEqual([
      '/Ringdown/GetConfiguration',
      '/Ringdown/RequestMessage',
      '/Ringdown/RequestMessage',
    ]);
    expect(first).toContain('<StartOrUpdate Type="audio">');
    expect(first).toContain('<EstimatedBandwidth Codec="PCMU/8000"><Low>83200</Low><High>161000</High>');
    expect(last).toContain('<Ended>');
    expect(await number('sender_hep_packets_total', { content: 'sip' })).toBe(4);
    await answered(2);
    expect(await number('sender_open_calls')).toBe(0);
  });

  it.each(['C', 'D'] as const)('sends records of version %s', async (version) => {
    const sender = await start({ version });
    await sendUdp(sender.port, callPackets('call-1'));
    const [invitation, start_, end] = await bodies(3);
    expect(invitation).toMatch(new RegExp(`^<Diagnostics Version="${version}">.*<Invite>`));
    expect(start_).toContain('<Start Type="audio">');
    expect(end).toContain('<Bye>');
  });

  it.each([
    ['1.0 A C D', 'D'],
    ['1.0 C', 'C'],
    ['1.0 E', '1.0'],
  ])('sends to a collector that accepts %s version %s', async (accepted, version) => {
    collector.configuration = `<Configuration Version="1.0" AcceptedVersions="${accepted}"/>`;
    const sender = await start({ version: undefined });
    await sendUdp(sender.port, callPackets('call-1'));
    const records = await bodies(2);
    expect(records.every((body) => body.startsWith(`<Diagnostics Version="${version}">`))).toBe(true);
  });

  it('counts the calls that 1.0 cannot express', async () => {
    const sender = await start();
    await sendUdp(sender.port, [...callPackets('answered'), ...callPackets('rings').slice(0, 1)]);
    await answered(2);
    await eventually('the ringing call', async () => (await number('sender_unreported_calls')) > 0);
    expect(await number('sender_unreported_calls')).toBe(1);
  });

  it('counts and logs failed requests by peer and status', async () => {
    const logger = quietLogger();
    const warn = jest.spyOn(logger, 'warn');
    const sender = await start({ logger, failureLogMs: 1 });
    const messages = [request('REGISTER'), response('403 Forbidden', 'REGISTER')];
    await sendUdp(
      sender.port,
      messages.map((payload) => writeHep({ payload })),
    );
    const counted = (): Promise<number> =>
      number('sender_request_failures_total', { method: 'REGISTER', status: '403' });
    await eventually('the failure', async () => (await counted()) > 0);
    expect(await counted()).toBe(1);
    await eventually('the log line', () => warn.mock.calls.some((call) => call.at(-1) === 'SIP requests failed'));
  });

  it('hides users', async () => {
    const hiding = new IdentityHiding('a seed of sixteen characters');
    const sender = await start({ hiding });
    await sendUdp(sender.port, callPackets('call-1'));
    const [first = ''] = await bodies(2);
    expect(first).toContain(`sip:${hiding.token('alice')}@example.test`);
    expect(first).not.toMatch(/alice|bob/);
  });

  it('receives HEP over TCP, however it is split', async () => {
    const sender = await start();
    const socket = connect(sender.port, '127.0.0.1');
    const bytes = Buffer.concat(callPackets('call-1'));
    for (let at = 0; at < bytes.length; at += 100) socket.write(bytes.subarray(at, at + 100));
    await bodies(2);
    socket.destroy();
    expect(await number('sender_hep_packets_total', { content: 'sip' })).toBe(4);
  });

  it('receives all packets of an agent that disconnects', async () => {
    const sender = await start();
    const calls = Array.from({ length: 100 }, (_, n) => Buffer.concat(callPackets(`call-${n}`)));
    connect(sender.port, '127.0.0.1').end(Buffer.concat(calls));
    await answered(200);
    expect(await number('sender_hep_packets_total', { content: 'sip' })).toBe(400);
  });

  it('closes a stream that is not HEP, and continues with others', async () => {
    const sender = await start();
    const socket = connect(sender.port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\n\r\n');
    await ended(socket);
    expect(await number('sender_hep_refused_total', { problem: 'not-hep' })).toBe(1);
    await sendUdp(sender.port, [
      Buffer.from('hello'),
      writeHep({ payload: 'no SIP' }),
      writeHep({ payload: '\r\n\r\n' }),
    ]);
    await sendUdp(sender.port, callPackets('call-1'));
    await bodies(2);
    expect(await number('sender_hep_refused_total', { problem: 'not-hep' })).toBe(2);
    expect([await number('sender_sip_refused'), await number('sender_ignored')]).toEqual([1, 1]);
  });

  it('accepts only packets with the password', async () => {
    const sender = await start({ hep: { host: '127.0.0.1', port: 0, password: 'secret' } });
    await sendUdp(sender.port, [...callPackets('bad', 'sesame'), ...callPackets('good', 'secret')]);
    const records = await bodies(2);
    expect(records.every((body) => body.includes('<CallId>good</CallId>'))).toBe(true);
    expect(await number('sender_hep_refused_total', { problem: 'password' })).toBe(4);
  });

  it('counts and logs the records lost in an outage, and continues after it', async () => {
    const logger = quietLogger();
    const info = jest.spyOn(logger, 'info');
    const sender = await start({ logger });
    await sendUdp(sender.port, callPackets('one'));
    await answered(2);
    await collector.stop();
    await sendUdp(sender.port, callPackets('two'));
    await eventually('two lost records', async () => (await number('sender_records_total', { outcome: 'lost' })) === 2);
    await collector.start();
    await sendUdp(sender.port, callPackets('three'));
    const records = await bodies(4);
    expect(records.slice(2).every((body) => body.includes('<CallId>three</CallId>'))).toBe(true);
    expect(records[2]).toContain('<CSEQ>2</CSEQ>');
    await answered(4);
    expect(info.mock.calls).toEqual([[{ lost: 2 }, 'the collector answers again']]);
  });

  it('warns once about answers without a Count, and again after an outage', async () => {
    const warnings: string[] = [];
    const logger = quietLogger();
    jest.spyOn(logger, 'warn').mockImplementation((...args: unknown[]) => void warnings.push(String(args.at(-1))));
    const odd = (): number => warnings.filter((warning) => warning.includes('without Count')).length;
    collector.answer = (answer) => xml(answer, 200, '<<< no &');
    const sender = await start({ logger });
    await sendUdp(sender.port, [...callPackets('one'), ...callPackets('two')]);
    await answered(4);
    expect([odd(), await number('sender_answers_without_count_total')]).toEqual([1, 4]);
    await collector.stop();
    await sendUdp(sender.port, callPackets('three'));
    await eventually('two lost records', async () => (await number('sender_records_total', { outcome: 'lost' })) === 2);
    await collector.start();
    await sendUdp(sender.port, callPackets('four'));
    await answered(6);
    expect([odd(), await number('sender_answers_without_count_total')]).toEqual([2, 6]);
  });

  it('starts before its collector', async () => {
    await collector.stop();
    const sender = await start();
    await collector.start();
    await sendUdp(sender.port, callPackets('call-1'));
    const [first] = await bodies(2);
    expect(first).toContain('<CSEQ>2</CSEQ>');
  });

  it('drops records beyond the queue length when the collector is slow', async () => {
    const release: (() => void)[] = [];
    collector.answer = (answer, count) => void release.push(() => answer.end(`<Count>${count}</Count>`));
    const sender = await start({ queueLength: 1 });
    await sendUdp(sender.port, callPackets('one'));
    await eventually(
      'a dropped record',
      async () => (await number('sender_records_total', { outcome: 'dropped' })) === 1,
    );
    expect(await number('sender_queue_length')).toBe(1);
    await eventually('the first record', () => release.length > 0);
    for (const each of release) each();
    await answered(1);
  });

  it('keeps queued records during an outage with MAX_RETRY, and drops those beyond the queue length', async () => {
    await collector.stop();
    const persistence = { ...SEND_ONCE, maxRetry: 1_000, maxDelayLimit: 1_000 };
    const sender = await start({ queueLength: 3, persistence });
    await sendUdp(sender.port, [...callPackets('one'), ...callPackets('two')]);
    await eventually('a dropped record', async () => {
      return (await number('sender_records_total', { outcome: 'dropped' })) === 1;
    });
    await eventually('a second try', async () => (await number('sender_retries_total')) > 0);
    expect(await number('sender_queue_length')).toBe(3);
    await collector.start();
    await answered(3);
    expect(collector.records.map(({ body }) => /<CallId>(\w+)</.exec(body)?.[1])).toEqual(['one', 'one', 'two']);
  });

  it('fails over to the other collector', async () => {
    const other = started.add(await RecordingCollector.start());
    await collector.stop();
    const persistence = { ...SEND_ONCE, maxRetry: 10, maxRetryBeforeFailover: 2 };
    const sender = await start({ persistence, alternative: collectorAddress(other.url, defaultProfile) });
    await sendUdp(sender.port, callPackets('call-1'));
    await answered(2);
    expect([await number('sender_failovers_total'), await number('sender_uses_alternative')]).toEqual([1, 1]);
    expect(other.records).toHaveLength(2);
  });

  it('follows a bounded number of calls', async () => {
    const sender = await start({ limits: { calls: 100 } });
    const invitations = Array.from({ length: 1_000 }, (_, n) => {
      return writeHep({ payload: request('INVITE', { callId: `call-${n}`, body: CALLER_SDP }) });
    });
    connect(sender.port, '127.0.0.1').end(Buffer.concat(invitations));
    await eventually('the forgotten calls', async () => {
      return (await number('sender_calls_forgotten_total', { why: 'too many calls' })) === 900;
    });
    expect(await number('sender_open_calls')).toBe(100);
  });

  it('logs input and output to files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ringdown-sender-'));
    const sender = await start({ logs: { folder } });
    const packets = [...callPackets('call-1'), ...callPackets('call-2')];
    await sendUdp(sender.port, packets);
    const sent = await bodies(4);
    await answered(4);
    await started.stopAll();
    const [input = [], output = []] = ['input', 'output'].map((name) => {
      const file = readdirSync(folder).find((each) => each.startsWith(name)) ?? '';
      return readFileSync(join(folder, file), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t').slice(1));
    });
    rmSync(folder, { recursive: true });
    expect(input).toEqual(packets.map((packet) => ['hep', packet.toString('base64')]));
    expect(output).toEqual(sent.map((body) => ['record', 'fe1', 'answered', body]));
    expect(sent.map((body) => /<CSEQ>(\d+)</.exec(body)?.[1])).toEqual(['2', '3', '4', '5']);
  });

  it('reports that its port is in use', async () => {
    const { port } = await start();
    metrics = new Metrics();
    await expect(start({ hep: { host: '127.0.0.1', port } })).rejects.toThrow(
      `port ${port} on 127.0.0.1 is in use by another program (HEP_PORT, HEP_HOST)`,
    );
  });
});
