import { meetingAt } from './meeting-address.js';

describe('the address of a meeting', () => {
  it.each([
    ['/meet/alice@example.test/K7ZQ2M9XW4HJR8TC', 'sip:alice@example.test'],
    ['/meet/alice%40example.test/K7ZQ2M9XW4HJR8TC/', 'sip:alice@example.test'],
    ['/MEET/zo%C3%AB@example.test/K7ZQ2M9XW4HJR8TC', 'sip:zoë@example.test'],
  ])('%s names the organizer %s', (path, organizer) => {
    expect(meetingAt(path)).toEqual({ organizer, id: 'K7ZQ2M9XW4HJR8TC' });
  });

  it.each([
    '/meet/',
    '/meet/alice@example.test',
    '/meet/alice/K7ZQ2M9XW4HJR8TC',
    '/meet/alice@example.test/a.b',
    '/meet/alice%3B@example.test/K7',
    '/meet/%E0%A4%A/K7',
    `/meet/${'a'.repeat(250)}@example.test/K7`,
  ])('%s names none', (path) => {
    expect(meetingAt(path)).toBeUndefined();
  });
});
