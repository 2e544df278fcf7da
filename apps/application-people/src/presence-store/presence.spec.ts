import { shownPresence } from './availability.js';
import {
  act,
  applied,
  inCalls,
  leave,
  makeAvailable,
  clientModalities,
  markNotified,
  pendingAspects,
  type PresenceChange,
} from './presence-changes.js';
import { newRecord, type AvailableClient, type Preferred, type PresenceRecord } from './presence-record.js';

const NOW = 1_700_000_000_000;
const MINUTE = 60_000;
const rules = { awayMs: 10 * MINUTE };
const empty = newRecord({ sipAddress: 'sip:a@example.test', username: 'a@example.test' });
const client: Omit<AvailableClient, 'since'> = {
  device: 'Web',
  modalities: ['Messaging'],
  messageFormats: ['Plain'],
  phoneNumber: null,
  audioPreference: null,
  inactiveMs: 5 * MINUTE,
  activeAt: NOW,
};

function after(...changes: readonly PresenceChange[]): PresenceRecord {
  return changes.reduce((record, change) => applied(change, NOW, rules)(record), empty);
}

function shown(record: PresenceRecord, minutes = 0): string {
  const { availability, activity } = shownPresence(record, NOW + minutes * MINUTE, rules);
  return `${availability}, ${activity}`;
}

function online(signInAs?: Preferred, id = '1', more: object = {}): PresenceChange {
  return makeAvailable(id, { ...client, ...more }, signInAs);
}

describe('what others see of a person', () => {
  it('is offline without a client', () => {
    expect(shown(empty)).toBe('Offline, Offline');
    expect(shown(after(online(), leave('1')))).toBe('Offline, Offline');
  });

  it.each<[Preferred | undefined, string, string, string]>([
    [undefined, 'Online, Available', 'IdleOnline, Inactive', 'Away, Away'],
    ['Online', 'Online, Available', 'IdleOnline, Inactive', 'Away, Away'],
    ['Busy', 'Busy, Busy', 'IdleBusy, Inactive', 'Away, Away'],
    ['DoNotDisturb', 'DoNotDisturb, Do not disturb', 'DoNotDisturb, Do not disturb', 'DoNotDisturb, Do not disturb'],
    ['BeRightBack', 'BeRightBack, Be right back', 'BeRightBack, Be right back', 'BeRightBack, Be right back'],
    ['Away', 'Away, Away', 'Away, Away', 'Away, Away'],
    ['Offwork', 'Away, off-work', 'Away, off-work', 'Away, off-work'],
  ])('is the meaning of %s, also after inactivity', (preferred, active, idle, away) => {
    const record = after(online(preferred));
    expect([0, 4.99].map((minutes) => shown(record, minutes))).toEqual([active, active]);
    expect([5, 14.99].map((minutes) => shown(record, minutes))).toEqual([idle, idle]);
    expect([15, 1_000].map((minutes) => shown(record, minutes))).toEqual([away, away]);
  });

  it('is as active as the most active client, on that client’s device', () => {
    const record = after(
      online(undefined, '1', { activeAt: NOW - 20 * MINUTE }),
      online(undefined, '2', { device: 'Mobile', activeAt: NOW - MINUTE }),
    );
    expect(shown(record)).toBe('Online, Available');
    expect(shownPresence(record, NOW, rules).device).toBe('Mobile');
    expect(shown(applied(act('1', NOW), NOW, rules)(record), 4)).toBe('Online, Available');
  });

  it.each<[string, readonly PresenceChange[], string]>([
    ['without a client here', [], 'Busy, on-the-phone'],
    ['online', [online()], 'Busy, on-the-phone'],
    ['away', [online('Away')], 'Busy, on-the-phone'],
    ['long inactive', [online(undefined, '1', { activeAt: 0 })], 'Busy, on-the-phone'],
    ['not to be disturbed', [online('DoNotDisturb')], 'DoNotDisturb, Do not disturb'],
  ])('is busy in a call, %s', (_what, changes, expected) => {
    expect(shown(after(...changes, inCalls(['c1', 'c2']), inCalls(['c2'])))).toBe(expected);
    expect(after(...changes, inCalls(['c1']), inCalls([]))).toMatchObject({ shown: after(...changes).shown });
  });
});

describe('the aspects that watchers have to be notified of', () => {
  it('are those that have changed, until watchers were notified', () => {
    const record = after(online('Busy'), act('1', NOW, { note: { message: 'x', type: 'Personal' } }));
    expect(pendingAspects(record)).toEqual(['presence', 'note', 'modalities']);
    const notified = markNotified(record.version)(record);
    expect(pendingAspects(notified)).toEqual([]);
    const moved = applied(act('1', NOW, { location: 'here' }), NOW, rules)(notified);
    expect(pendingAspects(moved)).toEqual(['location']);
    expect(markNotified(record.version)(moved)).toBe(moved);
  });

  it('are none when the change is not visible', () => {
    const record = after(online('Busy'));
    const active = applied(act('1', NOW + 1, { preferred: 'Busy' }), NOW + 1, rules)(record);
    expect(active).toMatchObject({ version: record.version, activeAt: NOW + 1 });
    expect(applied((same) => same, NOW, rules)(record)).toBe(record);
    expect(applied(leave('2'), NOW, rules)(record)).toBe(record);
    expect(applied(inCalls([]), NOW, rules)(record)).toBe(record);
  });

  it('include changes by timeout', () => {
    const record = after(online());
    const idle = applied((same) => same, NOW + 5 * MINUTE, rules)(record);
    expect(idle).toMatchObject({ shown: { availability: 'IdleOnline' }, version: record.version + 1 });
  });

  it('are none for a second client, but its start is recorded', () => {
    const record = after(online(), online(undefined, '2'));
    expect(record).toMatchObject({ version: 2, clients: { 1: { since: 1 }, 2: { since: 2 } } });
    expect(clientModalities(record)).toEqual(['Messaging']);
  });
});

describe('a user who leaves', () => {
  it('has no preferred availability after the next sign-in', () => {
    const record = after(online('Busy'), online(undefined, '2'), leave('1'));
    expect(record.preferred).toBe('Busy');
    expect(applied(leave('2'), NOW, rules)(record)).toMatchObject({ preferred: null, clients: {}, activeAt: NOW });
  });

  it('cannot act in a session that is not available', () => {
    expect(act('1', NOW, { location: 'here' })(empty)).toBe(empty);
  });
});
