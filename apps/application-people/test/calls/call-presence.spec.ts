import { CALLS_CHANGED_SUBJECT, CALLS_IN_PROGRESS_PATTERN, type CallOutline } from '@ringdown/contracts/calls';
import type { Bus } from '@ringdown/nats';
import { eventually } from '@ringdown/testing/eventually';
import type { EventChannels } from '../../src/events/event-channels.js';
import { waitingFor } from '../session-events.js';
import { TwoReplicas } from '../two-replicas.js';
import { resourceHref, embeddedMe, type WebClient } from '../web-client.js';

/** The part of an aggregator that this service uses: it publishes changes and replies with the list of calls. */
class Aggregator {
  /** The calls in its database, by key. */
  readonly calls = new Map<string, CallOutline>();
  private stopAnswering: (() => void) | undefined;

  constructor(private readonly bus: Bus) {}

  start(): void {
    this.stopAnswering = this.bus.respond(CALLS_IN_PROGRESS_PATTERN, (question) => {
      const { after } = Object(question);
      const going = [...this.calls.values()].filter(({ state }) => state !== 'ended');
      const [next, ...rest] = going.filter(({ callId }) => callId > String(after ?? ''));
      // The smallest possible pages.
      return { calls: next === undefined ? [] : [next], next: rest.length === 0 ? null : next?.callId };
    });
    // An empty list means that a change may have been missed.
    this.publish();
  }

  stop(): void {
    this.stopAnswering?.();
  }

  /** Changes a call in the database. */
  set(callId: string, state: string, ...users: readonly string[]): CallOutline {
    const [one, two] = users.map((user) => ({ uri: `sip:${user}@example.test` }));
    const streams = one && two ? [{ state: 'active', from: one, to: two }] : [];
    const version = (this.calls.get(callId)?.version ?? 0) + 1;
    const call = { callId, version, state, streams, parties: [] };
    this.calls.set(callId, call);
    return call;
  }

  publish(...calls: readonly CallOutline[]): void {
    this.bus.publish(CALLS_CHANGED_SUBJECT, { calls });
  }
}

let world: TwoReplicas;
let bus: Bus;
let channels: EventChannels;
let aggregator: Aggregator;
let looking: WebClient;
let people: string;
let watcher: string;

beforeAll(async () => {
  world = await TwoReplicas.start(['alice', 'bob', 'carl', 'dora'].map((user) => ({ user, name: user })));
  bus = await world.bus();
  aggregator = new Aggregator(bus);
  // It exists before any change was published.
  aggregator.set('before', 'active', 'dora', 'stranger');
  aggregator.start();
  channels = await world.channels();
  looking = (await world.user('alice')).at(world.other);
  const application = await looking.create('looks');
  watcher = application.id ?? '';
  people = `${resourceHref(application)}/people`;
});
afterAll(() => world.stop());

async function shown(user: string): Promise<string> {
  const { availability, activity } = Object(await looking.read(`${people}/${user}@example.test/presence`));
  return `${String(availability)}, ${String(activity)}`;
}

async function isShown(user: string, expected: string): Promise<void> {
  await eventually(`${user} to be ${expected}`, async () => (await shown(user)) === expected);
}

const TALKS = 'Busy, on-the-phone';
const AWAY = 'Offline, Offline';

describe('people in calls', () => {
  it('are busy from the start of the service if the call existed before', async () => {
    await isShown('dora', TALKS);
    aggregator.publish(aggregator.set('before', 'ended'));
    await isShown('dora', AWAY);
    expect(await shown('dora')).toBe(AWAY);
  });

  it('are busy even if another call is unreadable', async () => {
    const unreadable = { ...aggregator.set('unreadable', 'active'), streams: [null] };
    const good = aggregator.set('beside', 'active', 'carl', 'stranger');
    bus.publish(CALLS_CHANGED_SUBJECT, { calls: [unreadable, good] });
    await isShown('carl', TALKS);
    aggregator.set('unreadable', 'ended');
    aggregator.publish(aggregator.set('beside', 'ended'));
    await isShown('carl', AWAY);
    expect(await shown('carl')).toBe(AWAY);
  });

  it('are busy on the phone until the call ends, and their watchers are notified once of each change', async () => {
    const bob = await world.user('bob');
    const me = embeddedMe(await bob.create('bob'));
    await bob.post(resourceHref(me, 'makeMeAvailable'));
    await looking.post(`${people}/presenceSubscriptions`, { uris: ['sip:bob@example.test'] });
    const news = async (): Promise<number> => {
      const events = await waitingFor(channels, watcher);
      return events.filter((each) => each === 'updated contactPresence /people/bob@example.test/presence').length;
    };
    // Events that wait for a poll are merged, so they are fetched after each change.
    let path = resourceHref(await looking.read(people.replace('/people', '')), 'events');
    const fetchNews = async (): Promise<unknown> => {
      await eventually('the next event', async () => (await news()) === 1);
      const answer = await (await looking.get(`${path}&medium=5`)).json();
      path = path.replace(/ack=(\d+)/, (_, number) => `ack=${Number(number) + 1}`);
      return answer;
    };
    expect(JSON.stringify(await fetchNews())).toContain('contactPresence');

    aggregator.publish(aggregator.set('c1', 'active', 'bob', 'stranger'));
    await isShown('bob', TALKS);
    expect(await bob.read(`${resourceHref(me)}/presence`)).toMatchObject({
      availability: 'Busy',
      activity: 'on-the-phone',
    });
    expect(JSON.stringify(await fetchNews()).match(/"rel":"contactPresence"/g)).toHaveLength(1);

    aggregator.publish(aggregator.set('c2', 'active', 'bob', 'carl'));
    await isShown('carl', TALKS);
    aggregator.publish(aggregator.set('c1', 'ended'));
    aggregator.publish(aggregator.set('c2', 'expired', 'bob', 'carl'));
    await isShown('carl', AWAY);
    await isShown('bob', 'Online, Available');
    expect(JSON.stringify(await fetchNews()).match(/"rel":"contactPresence"/g)).toHaveLength(1);
  });

  it('are corrected after missed messages', async () => {
    aggregator.set('missed', 'active', 'carl', 'dora');
    aggregator.publish();
    await isShown('carl', TALKS);
    await isShown('dora', TALKS);
    aggregator.set('missed', 'ended');
    bus.publish(CALLS_CHANGED_SUBJECT, { calls: [{ some: 'other form' }] });
    await isShown('dora', AWAY);
    await isShown('carl', AWAY);
    expect(await shown('carl')).toBe(AWAY);
  });

  it('stay busy while the service restarts without an aggregator, until an aggregator answers', async () => {
    aggregator.publish(aggregator.set('long', 'held', 'carl', 'stranger'));
    await isShown('carl', TALKS);
    aggregator.stop();
    await world.restart(0);
    await world.restart(1);
    looking = looking.at(world.other);
    expect(await shown('carl')).toBe(TALKS);
    aggregator.set('long', 'ended');
    aggregator.set('next', 'active', 'dora', 'stranger');
    aggregator.start();
    await isShown('carl', AWAY);
    await isShown('dora', TALKS);
    expect(await shown('carl')).toBe(AWAY);
  });

  it('are free at once when their call has ended while the service was down', async () => {
    aggregator.publish(aggregator.set('over', 'active', 'carl', 'stranger'));
    await isShown('carl', TALKS);
    aggregator.set('over', 'ended');
    await world.restart(0);
    await world.restart(1);
    looking = looking.at(world.other);
    await isShown('carl', AWAY);
    expect(await shown('carl')).toBe(AWAY);
  });

  it('are corrected after an outage of the bus', async () => {
    await world.nats.kill();
    aggregator.set('next', 'ended');
    aggregator.set('then', 'active', 'carl', 'stranger');
    await world.nats.restart();
    const seen = async (user: string, expected: string): Promise<boolean> =>
      shown(user).then(
        (presence) => presence === expected,
        () => false,
      );
    await eventually('dora to be free', () => seen('dora', AWAY));
    await eventually('carl to talk', () => seen('carl', TALKS));
    expect(await shown('carl')).toBe(TALKS);
  });
});
