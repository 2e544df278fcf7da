import {
  addPeople,
  expireSubscriptions,
  endApplication,
  extend,
  newWatchList,
  peopleIn,
  regroup,
  removePerson,
  subscribe,
  applicationPresenceSubscriptions,
  unsubscribe,
  type PresenceSubscription,
  type WatchList,
  type WatchListChange,
} from './watch-list.js';

const NOW = 1_700_000_000_000;
const MINUTE = 60_000;
const one: PresenceSubscription = {
  id: 'one',
  uris: ['sip:a@x', 'sip:b@x'],
  groupId: null,
  expiresAt: NOW + 10 * MINUTE,
  isEnding: false,
};

function after(...changes: readonly WatchListChange[]): WatchList {
  return changes.reduce((list, change) => change(list), newWatchList('me'));
}

function shown(list: WatchList, applicationId = '1'): readonly string[] {
  return applicationPresenceSubscriptions(list, applicationId).map(({ id, uris }) => `${id}: ${uris.join(' ')}`);
}

describe('the subscriptions of a session', () => {
  it('are added, replaced, changed and removed for each session by itself', () => {
    const list = after(
      subscribe('1', one),
      subscribe('2', one),
      subscribe('1', { ...one, id: 'two', uris: ['sip:b@x'] }),
    );
    expect(shown(list)).toEqual(['one: sip:a@x sip:b@x', 'two: sip:b@x']);
    expect(peopleIn(applicationPresenceSubscriptions(list, '1'))).toEqual(['sip:a@x', 'sip:b@x']);
    expect(shown(addPeople('1', 'one', ['sip:b@x', 'sip:c@x'])(list))).toContain('one: sip:a@x sip:b@x sip:c@x');
    expect(shown(removePerson('1', 'one', 'sip:a@x')(list))).toContain('one: sip:b@x');
    expect(shown(unsubscribe('1', 'one')(list))).toEqual(['two: sip:b@x']);
    expect(shown(subscribe('1', { ...one, uris: [] })(list))).toEqual(['two: sip:b@x', 'one: ']);
    const ended = endApplication('1')(list);
    expect(Object.keys(ended.applications)).toEqual(['2']);
    expect(endApplication('1')(ended)).toBe(ended);
  });

  it('stay the same object when nothing changes', () => {
    const list = after(subscribe('1', one));
    for (const change of [
      addPeople('1', 'other', ['sip:c@x']),
      removePerson('1', 'one', 'sip:c@x'),
      unsubscribe('1', 'other'),
      extend('2', 'one', 10, NOW),
      expireSubscriptions(NOW),
      regroup(() => []),
    ]) {
      expect(change(list)).toBe(list);
    }
  });

  it('are extended up to half an hour from now', () => {
    const left = (minutes: number, now = NOW): unknown => {
      const [subscription] = applicationPresenceSubscriptions(
        extend('1', 'one', minutes, now)(after(subscribe('1', one))),
        '1',
      );
      return ((subscription?.expiresAt ?? 0) - now) / MINUTE;
    };
    expect([left(10), left(30), left(15, NOW + 8 * MINUTE)]).toEqual([20, 30, 17]);
  });

  it('end by themselves, and are marked once as ending a minute before', () => {
    const list = after(subscribe('1', one));
    expect(expireSubscriptions(NOW + 8.9 * MINUTE)(list)).toBe(list);
    const ending = expireSubscriptions(NOW + 9 * MINUTE)(list);
    expect(applicationPresenceSubscriptions(ending, '1')).toEqual([{ ...one, isEnding: true }]);
    expect(expireSubscriptions(NOW + 9.5 * MINUTE)(ending)).toBe(ending);
    expect(applicationPresenceSubscriptions(extend('1', 'one', 10, NOW + 9.5 * MINUTE)(ending), '1')).toMatchObject([
      { isEnding: false },
    ]);
    expect(expireSubscriptions(NOW + 10 * MINUTE)(ending)).toMatchObject({ applications: {} });
  });

  it('are asked only for their times while none of them ends', () => {
    const unread = Object.defineProperty({ ...one }, 'uris', {
      get: () => {
        throw new Error('the people were read');
      },
    });
    const list = { ...newWatchList('alice'), applications: { 1: [unread] } };
    expect(expireSubscriptions(NOW)(list)).toBe(list);
  });

  it('follow the changes of their group, and end with it', () => {
    const list = after(subscribe('1', one), subscribe('1', { ...one, id: 'g', groupId: 'g' }));
    expect(shown(regroup(() => ['sip:z@x'])(list))).toEqual(['one: sip:a@x sip:b@x', 'g: sip:z@x']);
    expect(shown(regroup(() => undefined)(list))).toEqual(['one: sip:a@x sip:b@x']);
  });

  it('are limited', () => {
    const many = Array.from({ length: 1_000 }, (_, n) => `sip:${n}@x`);
    const full = after(subscribe('1', { ...one, uris: many }));
    const limit = expect.objectContaining({ row: expect.objectContaining({ status: 403, subcode: 'LimitExceeded' }) });
    expect(() => addPeople('1', 'one', ['sip:more@x'])(full)).toThrow(limit);
    expect(() => subscribe('1', { ...one, id: 'two' })(full)).toThrow(limit);
    const hundred = after(...Array.from({ length: 100 }, (_, n) => subscribe('1', { ...one, id: String(n) })));
    expect(() => subscribe('1', one)(hundred)).toThrow(limit);
  });
});
