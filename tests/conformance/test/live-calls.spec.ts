import { at, listAt } from '../src/answer.js';
import { EventStream } from '../src/event-stream.js';
import { FeedClient } from '../src/feed-client.js';
import { Operator } from '../src/operator.js';
import { CallRecords } from '../src/records.js';
import { callSides } from '../src/sides.js';
import { unique } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';

describe('the live stream of calls', () => {
  const feed = new FeedClient();
  const web = new WebClient();
  let operator: Operator;

  beforeAll(async () => {
    operator = await Operator.signIn(web);
  });
  afterAll(async () => {
    feed.close();
    await web.close();
  });

  function newCall(): CallRecords {
    const callId = unique('live-');
    const { names } = feed.system;
    return new CallRecords({ names, callId, frontEnd: unique('fe-'), ...callSides(callId), startsAt: Date.now() });
  }

  /** `after`: id of the last event that was received before. */
  async function follow(after?: string): Promise<{ events: EventStream; leave: () => void }> {
    const { statusCode, headers, body } = await web.open({
      url: '/api/calls/stream',
      token: operator.token,
      ...(after === undefined ? {} : { headers: { 'last-event-id': after } }),
    });
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      'no-store',
    ]);
    // A client leaves a stream without end by closing the connection.
    body.on('error', () => undefined);
    return { events: new EventStream(body), leave: () => body.destroy() };
  }

  /** Events from the snapshot on: a call that starts after it is reported as a change, and is in no snapshot. */
  async function followChanges(): ReturnType<typeof follow> {
    const followed = await follow();
    await followed.events.next(({ event }) => event === 'snapshot');
    return followed;
  }

  it('begins with the calls in progress and then sends every change', async () => {
    const before = newCall();
    await feed.post(before.start());
    await operator.callOf(before.options.callId, 1);

    const { events, leave } = await follow();
    const snapshot = await events.next(() => true);
    expect(snapshot).toMatchObject({ event: 'snapshot', id: expect.stringMatching(/./) });
    const inProgress: unknown = JSON.parse(snapshot.data);
    web.contract.checkValue('CallsInProgress', inProgress);
    expect(listAt(inProgress, 'calls').map((call) => at(call, 'callId'))).toContain(before.options.callId);

    const during = newCall();
    const change = async (callId: string, state: string): Promise<unknown> => {
      const { data } = await events.next(({ event, data: text }) => {
        const call: unknown = JSON.parse(text);
        return event === 'call' && at(call, 'callId') === callId && at(call, 'state') === state;
      });
      return JSON.parse(data);
    };
    await feed.post(during.start());
    web.contract.checkValue('Call', await change(during.options.callId, 'active'));
    await feed.post(during.ended(4));
    const ended = await change(during.options.callId, 'ended');
    expect(at(ended, 'version')).toBe(2);
    await feed.post(before.ended(9));
    await change(before.options.callId, 'ended');
    leave();
  });

  it('sends the same to several readers', async () => {
    const readers = [await followChanges(), await followChanges()];
    const call = newCall();
    await feed.post(call.start());
    const isCall = ({ event, data }: { event: string; data: string }): boolean =>
      event === 'call' && at(JSON.parse(data), 'callId') === call.options.callId;
    const seen = await Promise.all(readers.map(({ events }) => events.next(isCall)));
    expect(JSON.parse(seen[0]?.data ?? '')).toEqual(JSON.parse(seen[1]?.data ?? '0'));
    for (const { leave } of readers) leave();
  });

  it('resumes for a client that returns with the id of the last event, with the missed changes', async () => {
    const { events, leave } = await followChanges();
    const before = newCall();
    await feed.post(before.start());
    const of = (call: CallRecords, state: string) => {
      return ({ event, data }: { event: string; data: string }): boolean => {
        const changed: unknown = JSON.parse(data);
        return event === 'call' && at(changed, 'callId') === call.options.callId && at(changed, 'state') === state;
      };
    };
    const { id } = await events.next(of(before, 'active'));
    leave();

    await feed.post(before.ended(5));
    await operator.callOf(before.options.callId, 2);
    const again = await follow(id);
    const seen: string[] = [];
    await again.events.next((event) => {
      seen.push(event.event);
      return of(before, 'ended')(event);
    });
    expect(seen).not.toContain('snapshot');
    const during = newCall();
    await feed.post(during.start());
    await again.events.next(of(during, 'active'));
    await feed.post(during.ended(3));
    again.leave();
  });

  it('begins with a snapshot for a client that returns with an unknown id', async () => {
    for (const id of ['0-0', 'deadbeef-1', 'x'.repeat(1_000)]) {
      const { events, leave } = await follow(id);
      expect((await events.next(() => true)).event).toBe('snapshot');
      leave();
    }
  });
});
