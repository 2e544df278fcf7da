import type { TracedMessage } from '@ringdown/contracts/traces';
import { TRACES_STREAM, TRACES_SUBJECT } from '@ringdown/contracts/traces';
import { TracePublisher } from '@ringdown/feed-bus';
import { eventually } from '@ringdown/testing/eventually';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Database } from '../src/store/database/database.js';
import type { CallMessage as MessageItem } from '@ringdown/answers/messages';
import { Surroundings, type RunningAggregator } from './aggregator-under-test.js';
import { published, startXml } from './feed-examples.js';

const AT = Date.parse('2026-03-02T10:00:00Z') * 1_000;
const [ANNA, PROXY] = [
  { ip: '192.0.2.10', port: 5060 },
  { ip: '2001:db8::1', port: 5060 },
];

interface List {
  readonly items: readonly MessageItem[];
  readonly isTruncated: boolean;
}

function message(callId: string, method: string, at = 0, more: Partial<TracedMessage> = {}): TracedMessage {
  const text = `${method} sip:ben@example.test SIP/2.0\r\nFrom: "Zoë Anna" <sip:anna@example.test>;tag=1\r\n\r\n`;
  const payload = Buffer.from(text).toString('base64');
  return { callId, at: AT + at, source: ANNA, destination: PROXY, content: 'sip', point: 'p1', payload, ...more };
}

const FIRST_BATCH = [
  message('C1', 'BYE', 900),
  message('c1', 'INVITE'),
  message('c1', 'INVITE', 2, { point: '' }),
] as const;

describe('messages of calls', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;
  let publisher: TracePublisher;

  beforeAll(async () => {
    around = await Surroundings.start();
    aggregator = await around.startAggregator();
    publisher = new TracePublisher({ bus: around.bus });
    const { streams } = around.bus.jsm;
    await eventually('the stream', () => streams.info(TRACES_STREAM).then(Boolean, () => false));
    await around.publish(published(startXml({ callId: 'c1', at: '2026-03-02T10:00:00Z' })));
    await around.call(aggregator, 'c1');
  });
  afterAll(() => around.stop());

  async function publish(...messages: readonly TracedMessage[]): Promise<void> {
    await publisher.publish({ v: 1, frontEnd: 'fe1.example.test', receivedAt: Date.now(), messages });
  }

  async function listed(path: string, token = around.operator): Promise<readonly MessageItem[]> {
    return (await aggregator.get<List>(path, token)).body.items ?? [];
  }

  async function counted(path: string, count: number): Promise<readonly MessageItem[]> {
    return eventually(`${count} messages`, async () => {
      const items = await listed(path);
      return items.length === count && items;
    });
  }

  it('are listed in the order of their times, each once, with all points that captured it', async () => {
    await publish(...FIRST_BATCH);
    const items = await counted('/api/calls/c1/messages', 2);
    expect(items.map(({ text }) => text?.split(' ', 1)[0])).toEqual(['INVITE', 'BYE']);
    expect(items[0]).toMatchObject({
      at: '2026-03-02T10:00:00.000000Z',
      source: ANNA,
      destination: PROXY,
      points: [
        { frontEnd: 'fe1.example.test', name: 'p1', at: '2026-03-02T10:00:00.000000Z' },
        { frontEnd: 'fe1.example.test', name: null, at: '2026-03-02T10:00:00.000002Z' },
      ],
    });
  });

  it('are stored once when a batch arrives again', async () => {
    const stored = /ringdown_aggregator_trace_messages_total\{outcome="duplicate"\} (\d+)/;
    const before = Number(await aggregator.metric(stored));
    await publish(...FIRST_BATCH.toReversed());
    await eventually('the copy', async () => Number(await aggregator.metric(stored)) === before + FIRST_BATCH.length);
    expect(await listed('/api/calls/c1/messages')).toHaveLength(2);
  });

  it('are listed once when a batch arrives again in two parts', async () => {
    const stored = /ringdown_aggregator_trace_messages_total\{outcome="stored"\} (\d+)/;
    const before = Number(await aggregator.metric(stored));
    for (const part of [FIRST_BATCH.slice(0, 1), FIRST_BATCH.slice(1)]) await publish(...part);
    await eventually('both', async () => Number(await aggregator.metric(stored)) === before + FIRST_BATCH.length);
    const items = await listed('/api/calls/c1/messages');
    expect(items.map(({ points }) => points.length)).toEqual([2, 1]);
  });

  it('are found by their text, with users hidden only by what is shown', async () => {
    expect(await listed('/api/calls/c1/messages?q=bye')).toHaveLength(1);
    expect(await listed('/api/calls/c1/messages?q=anna')).toHaveLength(2);
    for (const name of ['zoë', 'ZOE']) {
      const path = `/api/calls/c1/messages?q=${encodeURIComponent(name)}`;
      expect(await listed(path)).toHaveLength(2);
      expect(await listed(path, around.plainOperator)).toHaveLength(0);
    }
    expect(await listed('/api/calls/c1/messages?q=anna', around.plainOperator)).toHaveLength(0);
    expect(JSON.stringify(await listed('/api/calls/c1/messages', around.plainOperator))).not.toMatch(/anna|ben@/i);
  });

  it('of all legs of a conversation are in one list', async () => {
    const link = '<ConversationId>conv</ConversationId></ConnectionInfo>';
    for (const callId of ['leg1', 'leg2']) {
      const xml = startXml({ callId, at: '2026-03-02T10:00:00Z' }).replace('</ConnectionInfo>', link);
      await around.publish(published(xml));
      await around.call(aggregator, callId);
    }
    await publish(message('leg1', 'INVITE', 1), message('leg2', 'INVITE', 2), message('leg1', 'ACK', 3));
    const items = await counted('/api/calls/leg1/messages?legs=all', 3);
    expect(items.map(({ callId }) => callId)).toEqual(['leg1', 'leg2', 'leg1']);
    expect(await listed('/api/calls/leg2/messages')).toHaveLength(1);
  });

  it('are shown of a call of which no record has arrived, and unknown calls are 404', async () => {
    await publish(message('no-record', 'INVITE'));
    await counted('/api/calls/no-record/messages', 1);
    expect((await aggregator.get('/api/calls/nothing/messages', around.operator)).status).toBe(404);
    expect((await aggregator.get('/api/calls/c1/messages', around.user)).status).toBe(403);
  });

  it.each([
    ['.', '%252e'],
    ['..', '%252E%252e'],
    ['%2e', '%25252e'],
    ['%2e%2e', '%25252e%25252e'],
    ['%252e', '%2525252e'],
    ['stream', '%2573tream'],
    ['%73tream', '%252573tream'],
    ['a/../b', encodeURIComponent('a/../b')],
    ['50%25?#@[::1]', encodeURIComponent('50%25?#@[::1]')],
  ])('are read of the call %j', async (callId, segment) => {
    await publish(message(callId, 'INVITE'));
    expect(await counted(`/api/calls/${segment}/messages`, 1)).toMatchObject([{ callId }]);
    await around.publish(published(startXml({ callId })));
    await eventually('the call', async () => {
      const { body } = await aggregator.get<{ callId?: string }>(`/api/calls/${segment}`, around.operator);
      return body.callId === callId;
    });
  });

  it('are read of the call "stream" in any case, which is not the stream of all calls', async () => {
    await publish(message('stream', 'INVITE'));
    for (const segment of ['%2573tream', '%2553TREAM', '%2553tream'])
      expect((await counted(`/api/calls/${segment}/messages`, 1)).at(0)).toMatchObject({ callId: 'stream' });
  });

  it('follow a reader of their stream as they come', async () => {
    await publish(message('live', 'INVITE'));
    await counted('/api/calls/live/messages', 1);
    const stop = new AbortController();
    const response = await fetch(`${aggregator.origin}/api/calls/live/messages/stream`, {
      headers: { authorization: `Bearer ${around.operator}` },
      signal: stop.signal,
    });
    let seen = '';
    const reading = (async () => {
      for await (const chunk of response.body ?? []) seen += Buffer.from(chunk).toString();
    })().catch(() => undefined);
    await eventually('the first message', () => seen.includes('INVITE'));
    await publish(message('live', 'INVITE', 5, { point: 'p2' }), message('live', 'BYE', 9));
    await eventually('the next ones', () => seen.includes('BYE') && seen.includes('"p2"'));
    expect(seen.match(/^event: message$/gm)).toHaveLength(3);
    stop.abort();
    await reading;
  });

  it('never hold up records: those are stored while messages cannot be, which follow later', async () => {
    const other = new Database({ url: around.database.url, poolSize: 1, logger: quietLogger() });
    await other.write((transaction) => transaction.query('alter table trace_chunks rename to out_of_reach'));
    for (let n = 0; n < 20; n++) await publish(message('late', 'INFO', n));
    const calls = Array.from({ length: 50 }, (_, n) => `busy${n}`);
    await around.publish(...calls.map((callId) => published(startXml({ callId, at: '2026-03-02T10:00:00Z' }))));
    for (const callId of calls) expect(await around.call(aggregator, callId)).toMatchObject({ callId });
    await other.write((transaction) => transaction.query('alter table out_of_reach rename to trace_chunks'));
    await other.close();
    await counted('/api/calls/late/messages', 20);
  });

  it('of another version are counted and deleted, and the next ones are stored', async () => {
    await around.bus.js.publish(TRACES_SUBJECT, '{"v":2}');
    await publish(message('after', 'INVITE'));
    await counted('/api/calls/after/messages', 1);
    expect(await aggregator.metric(/ringdown_aggregator_trace_batches_rejected_total (\d+)/)).toBe('1');
    await eventually('an empty stream', async () => {
      return (await around.bus.jsm.streams.info(TRACES_STREAM)).state.messages === 0;
    });
  });
});
