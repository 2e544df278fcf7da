import { randomBytes } from 'node:crypto';
import { append } from './append.js';
import { firstUnacknowledged, NEW_CHANNEL, type Channel } from './channel.js';
import { pollWaiterState, poll, POLL_RULES, withdraw, type PollOutcome, type PollRequest } from './poll.js';
import { BOUNDS, settle } from './release.js';
import { supersedes, eventUrgency, type EventType, type SessionEvent } from './session-event.js';

const T = 1_700_000_000_000;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

function event(rel: string, href = `/${rel}`, type: EventType = 'updated', more: object = {}): SessionEvent {
  return { sender: { rel: 'me', href: '/me' }, type, link: { rel, href }, ...more };
}

const message = event('message', '/m/1', 'completed');
const presence = event('presence');
const pinned = event('pinnedGroup', '/g', 'updated', { in: { rel: 'myGroups', href: '/groups' } });

const withText = (text: string): object => ({ embedded: { rel: 'presence', href: '/', properties: { text } } });
const many = (from: number, count: number, more: object = {}): SessionEvent[] =>
  Array.from({ length: count }, (_, n) => event('presence', `/presence/${from + n}`, 'updated', more));

/** One channel and its clock. */
class Scene {
  channel: Channel = NEW_CHANNEL;
  now = T;
  private polls = 0;

  constructor(private readonly bounds = BOUNDS) {}

  append(...events: SessionEvent[]): this {
    this.channel = append(this.channel, events, this.now, this.bounds);
    return this;
  }

  after(ms: number): this {
    this.now += ms;
    return this;
  }

  poll(ack: number | undefined, settings: PollRequest['settings'] = {}, token = `r.${++this.polls}`): PollOutcome {
    const { channel, result } = poll(this.channel, { ack, settings, token }, this.now, {
      ...POLL_RULES,
      bounds: this.bounds,
    });
    this.channel = channel;
    return result;
  }

  hrefs(ack: number): readonly string[] | string {
    const outcome = this.poll(ack);
    return outcome.kind === 'package' ? outcome.package.events.map(({ link }) => link.href) : outcome.kind;
  }
}

describe('a poll', () => {
  it('waits three minutes when there are no events', () => {
    expect(new Scene().poll(1)).toEqual({ kind: 'wait', number: 1, until: T + 3 * MINUTE, resume: false });
  });

  it('receives pending events at once, and again until the next package is requested', () => {
    const scene = new Scene().append(message);
    expect(scene.hrefs(1)).toEqual(['/m/1']);
    scene.append(event('message', '/m/2', 'completed'));
    expect(scene.hrefs(1)).toEqual(['/m/1']);
    expect(scene.hrefs(2)).toEqual(['/m/2']);
    expect(scene.poll(1)).toEqual({ kind: 'resync', number: 2 });
    expect(scene.hrefs(2)).toEqual(['/m/2']);
  });

  it.each([0, -1, 2, 99, Number.MAX_SAFE_INTEGER])('for package %p of a new channel is sent to the first', (ack) => {
    const scene = new Scene();
    expect(scene.poll(ack)).toEqual({ kind: 'resync', number: 1 });
    expect(scene.channel).toBe(NEW_CHANNEL);
  });

  it('for a package that does not exist is referred to the first one that is not acknowledged', () => {
    const scene = new Scene().append(message);
    scene.poll(1);
    scene.append(message);
    scene.poll(2);
    for (const ack of [0, 1, 4, 5]) expect(scene.poll(ack)).toEqual({ kind: 'resync', number: 2 });
    expect(scene.poll(undefined)).toMatchObject({ kind: 'package', number: 2 });
    expect(scene.poll(3)).toMatchObject({ kind: 'wait' });
    for (const ack of [2, 4]) expect(scene.poll(ack)).toEqual({ kind: 'resync', number: 3 });
  });

  it('that waits receives the next package when events are appended', () => {
    const scene = new Scene();
    scene.poll(1, {}, 'r.7');
    scene.after(SECOND).append(message);
    expect(pollWaiterState(scene.channel, 'r.7')).toMatchObject({
      kind: 'package',
      number: 1,
      package: { resume: false },
    });
    expect(scene.hrefs(1)).toEqual(['/m/1']);
  });

  it('ends the previous poll, but not one of higher priority', () => {
    const scene = new Scene();
    scene.poll(1, { priority: 1 }, 'a.1');
    expect(scene.poll(1, {}, 'a.2')).toMatchObject({ kind: 'wait' });
    expect(pollWaiterState(scene.channel, 'a.1')).toEqual({ kind: 'replaced' });
    expect(scene.poll(1, { priority: 0 }, 'a.3')).toEqual({ kind: 'refused', by: 'a.2' });
    expect(pollWaiterState(scene.channel, 'a.2')).toEqual({ kind: 'waits', due: undefined });
    expect(scene.poll(1, { priority: 5 }, 'a.4')).toMatchObject({ kind: 'wait' });
    scene.after(3 * MINUTE + 1);
    expect(scene.poll(1, { priority: 0 }, 'a.5')).toMatchObject({ kind: 'wait' });
  });

  it('that is withdrawn leaves the events to the next poll', () => {
    const scene = new Scene();
    scene.poll(1, {}, 'r.1');
    scene.channel = withdraw(scene.channel, 'r.1', scene.now);
    scene.append(message);
    expect(scene.hrefs(1)).toEqual(['/m/1']);
    expect(withdraw(scene.channel, 'r.1', scene.now)).toBe(scene.channel);
  });

  it('that has timed out leaves the events to the next poll', () => {
    const scene = new Scene();
    scene.poll(1, {}, 'r.1');
    scene.after(3 * MINUTE).append(message);
    expect(pollWaiterState(scene.channel, 'r.1')).toMatchObject({ kind: 'waits' });
    expect(scene.hrefs(1)).toEqual(['/m/1']);
  });

  it('uses the settings of the client until the client changes them', () => {
    const scene = new Scene();
    scene.poll(1, { timeout: 600, medium: 60 });
    expect(scene.poll(1)).toMatchObject({ until: T + 600 * SECOND });
    expect(scene.poll(1, { timeout: 200 })).toMatchObject({ until: T + 200 * SECOND });
    expect(scene.channel.polling).toEqual({ low: 15, medium: 60, timeout: 200, priority: 0 });
  });
});

describe('events', () => {
  it('have the urgency of their subject', () => {
    expect([message, presence, pinned].map((each) => eventUrgency(each))).toEqual(['high', 'medium', 'low']);
    const contact = (collection: string): SessionEvent =>
      event('contact', '/c', 'added', { in: { rel: collection, href: '/' } });
    expect([contact('subscribedContacts'), contact('myContacts')].map((each) => eventUrgency(each))).toEqual([
      'medium',
      'high',
    ]);
  });

  it.each([
    ['presence', presence, 5],
    ['a pinned group', pinned, 15],
  ])('of %s wait for others', (_name, waiting, seconds) => {
    const scene = new Scene();
    scene.poll(1, {}, 'r.1');
    scene.append(waiting);
    expect(pollWaiterState(scene.channel, 'r.1')).toEqual({ kind: 'waits', due: T + seconds * SECOND });
    scene.after(seconds * SECOND - 1);
    expect(settle(scene.channel, scene.now)).toBe(scene.channel);
    scene.after(1).channel = settle(scene.channel, scene.now);
    expect(pollWaiterState(scene.channel, 'r.1')).toMatchObject({ kind: 'package' });
  });

  it('that are urgent are delivered together with waiting ones, in their order', () => {
    const scene = new Scene();
    scene.poll(1, {}, 'r.1');
    scene.append(presence).after(SECOND).append(message);
    expect(scene.hrefs(1)).toEqual(['/presence', '/m/1']);
  });

  it('that waited while there was no poll are due by the settings of the next poll', () => {
    const scene = new Scene().append(pinned).after(6 * SECOND);
    expect(scene.poll(1, {}, 'r.1')).toMatchObject({ kind: 'wait' });
    expect(pollWaiterState(scene.channel, 'r.1')).toEqual({ kind: 'waits', due: T + 15 * SECOND });
    expect(scene.poll(1, { low: 5 })).toMatchObject({ kind: 'package' });
  });

  it('of one resource are merged into the newest, which keeps the waiting time of the oldest', () => {
    const scene = new Scene().append(presence);
    scene.after(3 * SECOND).append(event('note'), event('presence', '/presence', 'updated', { status: 'Success' }));
    expect(scene.channel.pending.map(({ event: each, since }) => [each.link.rel, since - T])).toEqual([
      ['note', 3 * SECOND],
      ['presence', 0],
    ]);
    expect(scene.channel.pending[1]?.event.status).toBe('Success');
  });

  it.each<[string, boolean, SessionEvent, SessionEvent]>([
    ['a deletion supersedes an update', true, event('a', '/a', 'deleted'), event('a')],
    [
      'a deletion does not supersede the last state of a conversation',
      false,
      event('conversation', '/a', 'deleted'),
      event('conversation', '/a'),
    ],
    ['an update does not supersede an addition', false, event('a'), event('a', '/a', 'added')],
    ['an update does not supersede one of another resource', false, event('a', '/b'), event('a', '/a')],
    [
      'an update in another collection is another',
      false,
      event('a', '/a', 'updated', { in: { rel: 'x', href: '/x' } }),
      event('a'),
    ],
    ['events of operations are all delivered', false, event('a', '/a', 'completed'), event('a', '/a', 'started')],
  ])('%s', (_name, expected, newer, older) => {
    expect(supersedes(newer, older)).toBe(expected);
  });
});

describe('a channel without polls', () => {
  it('makes a client that polls again late start over, with the default settings', () => {
    const scene = new Scene();
    scene.poll(1, { timeout: 600 });
    scene.after(10 * MINUTE + POLL_RULES.resumeMs);
    expect(scene.poll(1)).toMatchObject({ kind: 'wait', until: scene.now + 3 * MINUTE, resume: true });
    scene.append(message);
    expect(scene.poll(1)).toMatchObject({ kind: 'package', package: { resume: true } });
    scene.append(message);
    expect(scene.poll(2)).toMatchObject({ kind: 'package', package: { resume: false } });
  });

  it('expires a quarter of an hour after the last poll ended, however long that poll waited', () => {
    const scene = new Scene();
    scene.poll(1, { timeout: 1_800 });
    scene.after(30 * MINUTE + 15 * MINUTE);
    expect(poll(scene.channel, { ack: 1, settings: {}, token: 'x' }, scene.now + 1).result).toEqual({
      kind: 'expired',
    });
    expect(scene.poll(1)).toMatchObject({ kind: 'wait' });
  });

  it('stays alive until its first poll', () => {
    expect(
      new Scene()
        .append(message)
        .after(86_400 * SECOND)
        .hrefs(1),
    ).toEqual(['/m/1']);
  });
});

describe('a channel that overflows', () => {
  const small = { ...BOUNDS, events: 3 };

  it('signals the loss, and continues with later events', () => {
    const scene = new Scene(small).append(message);
    scene.poll(1);
    scene.append(...many(0, 3));
    expect(scene.channel.pending).toHaveLength(3);
    scene.append(message);
    expect(scene.channel).toMatchObject({ backlog: [], pending: [], held: null });
    for (const ack of [1, 2]) expect(scene.poll(ack)).toEqual({ kind: 'resync', number: 3 });
    scene.append(event('message', '/m/9', 'completed'));
    expect(scene.hrefs(3)).toEqual(['/m/9']);
  });

  it('signals the loss to the waiting poll', () => {
    const scene = new Scene(small);
    scene.poll(1, {}, 'r.1');
    scene.append(...many(0, 4));
    expect(pollWaiterState(scene.channel, 'r.1')).toEqual({ kind: 'resync', number: 2 });
    expect(firstUnacknowledged(scene.channel)).toBe(2);
  });

  it('overflows by bytes as well, of one event or of all when they are compressed', () => {
    const one = new Scene().append(event('presence', '/1', 'updated', withText('x'.repeat(BOUNDS.eventBytes))));
    expect(one.poll(1)).toEqual({ kind: 'resync', number: 2 });
    const all = new Scene({ ...BOUNDS, backlogBytes: 10_000 });
    all.append(...many(0, 12, withText(randomBytes(12_000).toString('base64'))));
    expect(all.poll(1)).toEqual({ kind: 'resync', number: 2 });
  });

  it('delivers its events when it is half full', () => {
    const scene = new Scene();
    scene.poll(1, {}, 'r.1');
    scene.append(...many(0, 8, withText('x'.repeat(7_000))));
    expect(pollWaiterState(scene.channel, 'r.1')).toMatchObject({ kind: 'waits' });
    scene.append(...many(9, 2, withText('x'.repeat(7_000))));
    expect(pollWaiterState(scene.channel, 'r.1')).toMatchObject({ kind: 'package', number: 1 });
  });
});
