import { eventually } from '@ringdown/testing/eventually';
import { shortestMs } from '@ringdown/testing/timing';
import type { Call } from '../src/calls/call.js';
import { HEARTBEAT_MS } from '../src/live/live-reader.js';
import { Surroundings, type RunningAggregator } from './aggregator-under-test.js';
import { endXml, published, startXml } from './feed-examples.js';

interface ServerSentEvent {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

/** A reader of server-sent events that keeps what has arrived so far. */
class EventReader {
  readonly events: ServerSentEvent[] = [];
  ended = false;
  /** Ended in the middle, without the end of the answer. */
  cutOff = false;
  private readonly abort = new AbortController();

  private constructor(readonly response: Response) {
    void this.read();
  }

  /** `after`: id of the last event that it received from another stream, when it returns. */
  static async open(aggregator: RunningAggregator, token: string, after?: string): Promise<EventReader> {
    const last = after === undefined ? {} : { 'last-event-id': after };
    const headers = { authorization: `Bearer ${token}`, ...last };
    return new EventReader(await fetch(`${aggregator.origin}/api/calls/stream`, { headers }));
  }

  event(kind: string, callId?: string, state?: string): Promise<ServerSentEvent> {
    return eventually(`a ${kind} event`, () =>
      this.events.find(({ event, data }) => {
        const call = data as Call;
        return event === kind && (callId === undefined || (call.callId === callId && call.state === state));
      }),
    );
  }

  /** The state of a call as known to a client that follows the events. */
  knownState(callId: string): string | undefined {
    const calls = new Map<string, Call>();
    for (const { event, data } of this.events) {
      if (event === 'snapshot') calls.clear();
      const changed = event === 'snapshot' ? (data as { calls: readonly Call[] }).calls : [data as Call];
      for (const call of changed) calls.set(call.callId, call);
    }
    return calls.get(callId)?.state;
  }

  close(): void {
    this.abort.abort();
  }

  private async read(): Promise<void> {
    let rest = '';
    const decoder = new TextDecoderStream();
    const text = this.response.body?.pipeThrough(decoder, { signal: this.abort.signal });
    try {
      for await (const piece of text ?? []) {
        const blocks = (rest + piece).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) this.add(block);
      }
    } catch {
      this.cutOff = !this.abort.signal.aborted;
    } finally {
      this.ended = true;
    }
  }

  private add(block: string): void {
    const fields = new Map(block.split('\n').map((line) => [line.split(': ')[0], line.slice(line.indexOf(': ') + 2)]));
    const [id = '', event = '', data = ''] = ['id', 'event', 'data'].map((name) => fields.get(name));
    if (event !== '') this.events.push({ id, event, data: JSON.parse(data) as unknown });
  }
}

describe('the live stream of calls', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;

  beforeAll(async () => {
    around = await Surroundings.start();
    aggregator = await around.startAggregator();
    await around.publish(published(startXml({ callId: 'going' })));
    await around.publish(published(startXml({ callId: 'over' })), published(endXml({ callId: 'over' })));
    await around.call(aggregator, 'going');
    await around.call(aggregator, 'over', ({ state }) => state === 'ended');
  });

  afterAll(() => around.stop());

  it('begins with the calls in progress and continues with every change', async () => {
    const reader = await EventReader.open(aggregator, around.operator);
    expect(reader.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const snapshot = await reader.event('snapshot');
    expect(snapshot).toMatchObject({ data: { calls: [{ callId: 'going', state: 'active' }], total: 1 } });

    await around.publish(published(startXml({ callId: 'fresh' })));
    await reader.event('call', 'fresh', 'active');
    await around.publish(published(endXml({ callId: 'fresh' })));
    const ended = await reader.event('call', 'fresh', 'ended');
    expect(ended.data).toMatchObject({ version: 2, streams: [{ state: 'ended' }, { state: 'ended' }] });

    const ids = reader.events.map(({ id }) => id);
    expect(ids.every((id) => id !== '')).toBe(true);
    reader.close();
  });

  /** A call starts and ends; a reader that is away meanwhile misses its changes. */
  async function startAndEnd(at: RunningAggregator, callId: string): Promise<void> {
    await around.publish(published(startXml({ callId })), published(endXml({ callId })));
    await around.call(at, callId, ({ state }) => state === 'ended');
  }

  /** Id of the last event after the start of a call was received. */
  async function lastIdAfter(reader: EventReader, callId: string): Promise<string> {
    await around.publish(published(startXml({ callId })));
    const { id } = await reader.event('call', callId, 'active');
    reader.close();
    return id;
  }

  it('resumes a returning reader with the missed changes and without a snapshot', async () => {
    const last = await lastIdAfter(await EventReader.open(aggregator, around.operator), 'left');
    await startAndEnd(aggregator, 'missed');
    const again = await EventReader.open(aggregator, around.operator, last);
    const { data } = await again.event('call', 'missed', 'ended');
    expect(data).toMatchObject({ version: 2 });
    await startAndEnd(aggregator, 'next');
    await again.event('call', 'next', 'ended');
    expect(again.events.filter(({ event }) => event === 'snapshot')).toEqual([]);
    expect(again.events.filter(({ data: call }) => (call as Call).callId === 'left')).toEqual([]);
    again.close();
  });

  it('replies at once to a returning reader that has missed nothing', async () => {
    const last = await lastIdAfter(await EventReader.open(aggregator, around.operator), 'nothing missed');
    const again = await EventReader.open(aggregator, around.operator, last);
    expect(again.response.status).toBe(200);
    await startAndEnd(aggregator, 'later');
    await again.event('call', 'later', 'ended');
    expect(again.events.every(({ event, data }) => event === 'call' && (data as Call).callId === 'later')).toBe(true);
    again.close();
  });

  it('resumes at another replica, also after a restart of the replica that has published so far', async () => {
    const first = await around.startAggregator();
    const last = await lastIdAfter(await EventReader.open(first, around.operator), 'moving');
    await first.stop();
    await startAndEnd(aggregator, 'meanwhile');
    for (const other of [aggregator, await around.startAggregator()]) {
      const again = await EventReader.open(other, around.operator, last);
      await again.event('call', 'meanwhile', 'ended');
      expect(again.events.filter(({ event }) => event === 'snapshot')).toEqual([]);
      again.close();
    }
  });

  it.each(['00000000-1', 'ffffffff-999999999', 'no id of ours', '-1', '%00', 'a'.repeat(4_000)])(
    'begins with a snapshot for a reader that returns with the id %.30s',
    async (last) => {
      const reader = await EventReader.open(aggregator, around.operator, last);
      expect(reader.response.status).toBe(200);
      await reader.event('snapshot');
      reader.close();
    },
  );

  it('continues after an outage of the bus, and the reader misses nothing', async () => {
    const reader = await EventReader.open(aggregator, around.operator);
    await reader.event('snapshot');
    await around.nats.kill();
    await around.nats.restart();
    const publish = (): Promise<boolean> =>
      around.publish(published(startXml({ callId: 'after the bus' }))).then(
        () => true,
        () => false,
      );
    await eventually('the bus', publish);
    await eventually('the call', () => reader.knownState('after the bus') === 'active');
    expect(reader.ended).toBe(false);
    reader.close();
    const headers = { authorization: `Bearer ${around.operator}` };
    const isAccepted = async (): Promise<boolean> => (await fetch(`${aggregator.origin}/api/calls`, { headers })).ok;
    await eventually('a reply of the token service over its own connection', isAccepted);
  });

  it('contains the changes that another replica made', async () => {
    const other = await around.startAggregator();
    const reader = await EventReader.open(other, around.operator);
    await reader.event('snapshot');
    for (const n of [1, 2, 3, 4]) {
      const callId = `elsewhere${n}`;
      await around.publish(published(startXml({ callId })));
      await eventually(`news of ${callId}`, () => reader.knownState(callId) === 'active');
    }
    await around.publish(published(endXml({ callId: 'elsewhere4' })));
    await eventually('the event with the end of the call', () => reader.knownState('elsewhere4') !== 'active');
    expect(reader.knownState('elsewhere1')).toBe('active');
    reader.close();
    await other.stop();
  });

  it('replies to HEAD at once with the head of the stream', async () => {
    const init = { method: 'HEAD', headers: { authorization: `Bearer ${around.operator}` } };
    const response = await fetch(`${aggregator.origin}/api/calls/stream`, {
      ...init,
      // Before the first event that a stream without changes would send.
      signal: AbortSignal.timeout(HEARTBEAT_MS),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  });

  it('detects that a reader has disconnected', async () => {
    const reader = await EventReader.open(aggregator, around.operator);
    await reader.event('snapshot');
    const count = (): Promise<string | undefined> => aggregator.metric(/live_readers (\d+)/);
    await eventually('this reader as the only one', async () => (await count()) === '1');
    reader.close();
    expect(await eventually('no reader', async () => (await count()) === '0')).toBe(true);
  });

  it('ends when the token expires', async () => {
    let lifetimeMs = 750;
    const begun = async (): Promise<EventReader | undefined> => {
      // On a busy machine the stream takes longer than that to begin: twice as long the next time.
      lifetimeMs *= 2;
      around.allow(`lives-${lifetimeMs}`, ['operator'], Date.now() + lifetimeMs);
      const reader = await EventReader.open(aggregator, `lives-${lifetimeMs}`);
      await eventually('a snapshot or the end', () => reader.ended || reader.events.length > 0);
      return reader.ended ? undefined : reader;
    };
    const reader = await eventually('a stream that began', begun);
    expect(reader.events[0]?.event).toBe('snapshot');
    await eventually('the end of the stream', () => reader.ended);
  });

  it('ends without a token check when the revocation of its token is published, and no other stream ends', async () => {
    around.allow('signed-out', ['operator']);
    around.allow('another', ['operator']);
    const [reader, other] = await Promise.all([
      EventReader.open(aggregator, 'signed-out'),
      EventReader.open(aggregator, 'another'),
    ]);
    await Promise.all([reader.event('snapshot'), other.event('snapshot')]);
    await around.publishRevoked('signed-out');
    await eventually('the end of the stream', () => reader.ended);
    // Also what waits for the client to take it is not sent any more.
    expect(reader.cutOff).toBe(true);
    expect(other.ended).toBe(false);
    other.close();
  });

  it('ends when the service stops, and does not delay the stop', async () => {
    const msToStop = async (): Promise<number> => {
      const other = await around.startAggregator();
      const reader = await EventReader.open(other, around.operator);
      await reader.event('snapshot');
      const before = performance.now();
      await other.stop();
      await eventually('the end of the stream', () => reader.ended);
      return performance.now() - before;
    };
    expect(await shortestMs(5_000, msToStop)).toBeLessThan(5_000);
  });
});
