import { jest } from '@jest/globals';
import { eventually } from '@ringdown/testing';
import type { Call } from '../src/calls/call.js';
import { Surroundings, type RunningAggregator } from './aggregator-under-test.js';
import { endXml, published, startXml } from './feed-examples.js';

interface ServerSentEvent {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

/** A reader of server-sent events that knows what has come so far. */
class EventReader {
  readonly events: ServerSentEvent[] = [];
  ended = false;
  private readonly abort = new AbortController();

  private constructor(readonly response: Response) {
    void this.read();
  }

  static async open(aggregator: RunningAggregator, token: string): Promise<EventReader> {
    const headers = { authorization: `Bearer ${token}` };
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

  /** The state of a call as a client knows it that keeps to what the events say. */
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
        for (const block of blocks) this.take(block);
      }
    } catch (error) {
      if (!this.abort.signal.aborted) throw error;
    } finally {
      this.ended = true;
    }
  }

  private take(block: string): void {
    const fields = new Map(block.split('\n').map((line) => [line.split(': ')[0], line.slice(line.indexOf(': ') + 2)]));
    const [id = '', event = '', data = ''] = ['id', 'event', 'data'].map((name) => fields.get(name));
    if (event !== '') this.events.push({ id, event, data: JSON.parse(data) as unknown });
  }
}

// A database and a bus start here, on machines that may have little time for it.
jest.setTimeout(180_000);

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

  it('begins with the calls in progress and goes on with every change', async () => {
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
    expect(new Set(ids).size).toBe(ids.length);
    reader.close();
  });

  it('carries the changes that another replica made', async () => {
    const other = await around.startAggregator();
    const reader = await EventReader.open(other, around.operator);
    await reader.event('snapshot');
    for (const n of [1, 2, 3, 4]) {
      const callId = `elsewhere${n}`;
      await around.publish(published(startXml({ callId })));
      await eventually(`news of ${callId}`, () => reader.knownState(callId) === 'active');
    }
    await around.publish(published(endXml({ callId: 'elsewhere4' })));
    await eventually('news of the end', () => reader.knownState('elsewhere4') !== 'active');
    expect(reader.knownState('elsewhere1')).toBe('active');
    reader.close();
    await other.stop();
  });

  it('answers HEAD at once with the head of the stream', async () => {
    const init = { method: 'HEAD', headers: { authorization: `Bearer ${around.operator}` } };
    const response = await fetch(`${aggregator.origin}/api/calls/stream`, {
      ...init,
      signal: AbortSignal.timeout(5_000),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  });

  it('knows when a reader has left', async () => {
    const reader = await EventReader.open(aggregator, around.operator);
    await reader.event('snapshot');
    const count = (): Promise<string | undefined> => aggregator.metric(/live_readers (\d+)/);
    expect(await count()).toBe('1');
    reader.close();
    expect(await eventually('nobody to read', async () => (await count()) === '0')).toBe(true);
  });

  it('ends when the token does', async () => {
    around.allow('short-lived', ['operator'], Date.now() + 1_500);
    const reader = await EventReader.open(aggregator, 'short-lived');
    await reader.event('snapshot');
    expect(reader.ended).toBe(false);
    await eventually('the end of the stream', () => reader.ended);
  });

  it('ends when the service stops, and does not hold it up', async () => {
    const other = await around.startAggregator();
    const reader = await EventReader.open(other, around.operator);
    await reader.event('snapshot');
    const before = Date.now();
    await other.stop();
    await eventually('the end of the stream', () => reader.ended);
    expect(Date.now() - before).toBeLessThan(5_000);
  });
});
