import { append } from './append.js';
import { NEW_CHANNEL, type Channel } from './channel.js';
import { receivedEventCount, EACH_PERSON, expanded, forEachPerson } from './people-event.js';
import { deliveryDueAt } from './release.js';
import type { EventType, SessionEvent } from './session-event.js';

const T = 1_700_000_000_000;

function presence(person: string, type: EventType = 'updated'): SessionEvent {
  return {
    sender: { rel: 'people', href: '/people' },
    type,
    link: { rel: 'contactPresence', href: `/people/${person}/presence` },
    in: { rel: 'contact', href: `/people/${person}` },
  };
}

function pendingIn(...appends: readonly (readonly SessionEvent[])[]): Channel['pending'] {
  let [channel, now] = [NEW_CHANNEL, T];
  for (const events of appends) channel = append(channel, events, now++);
  return channel.pending;
}

function seen(pending: Channel['pending']): readonly SessionEvent[] {
  return [...expanded(pending.map(({ event }) => event))];
}

describe('an event for many people', () => {
  const names = ['ann@x.test', "$&'*@x.test", 'bob@x.test'];
  const all = [{ ...presence(EACH_PERSON), people: names }];

  it('is received as one for each of them, at its place among others', () => {
    const events = [presence('eve@x.test'), ...all, presence('zoe@x.test')];
    expect([...expanded(events)]).toEqual(['eve@x.test', ...names, 'zoe@x.test'].map((name) => presence(name)));
    expect(receivedEventCount(events)).toBe(5);
    expect(forEachPerson(presence(EACH_PERSON), names)).toEqual(names.map((name) => presence(name)));
  });

  it.each(names)('loses a person whose newer state follows, like %p', (name) => {
    const pending = pendingIn(all, [presence(name)]);
    const others = names.filter((each) => each !== name);
    expect(seen(pending)).toEqual([...others, name].map((each) => presence(each)));
    expect(pending.map(({ since }) => since)).toEqual([T, T]);
    expect(pending.map(({ size }) => size)).toEqual(pending.map(({ event }) => JSON.stringify(event).length));
  });

  it('is gone when newer events for all its people follow', () => {
    expect(
      pendingIn(
        all,
        names.map((name) => presence(name)),
      ),
    ).toHaveLength(names.length);
  });

  it.each([
    ['another person', presence('eve@x.test')],
    ['another kind', { ...presence('ann@x.test'), link: { rel: 'contactNote', href: '/people/ann@x.test/note' } }],
    ['an addition', presence('ann@x.test', 'added')],
    ['no person', presence('')],
  ])('stays whole before an event about %s', (_what, event) => {
    expect(seen(pendingIn(all, [event]))).toEqual([...names.map((name) => presence(name)), event]);
  });

  it('is stored in less than a fifth of the bytes of its single events, but counts as all of them', () => {
    const people = Array.from({ length: 1_000 }, (_, n) => `colleague.${n}@x.test`);
    const [stored] = forEachPerson(presence(EACH_PERSON), people);
    const single = people.map((name) => presence(name));
    expect(JSON.stringify(stored).length * 5).toBeLessThan(JSON.stringify(single).length);
    const half = pendingIn(Array.from({ length: 2 }, () => stored ?? presence('')));
    expect(deliveryDueAt({ ...NEW_CHANNEL, pending: half })).toBe(0);
  });
});
