import { ServerClock } from './server-clock.js';

describe('ServerClock', () => {
  const HOUR = 3_600_000;
  const at = Date.parse('2026-11-21T12:00:00Z');
  let here: number;
  let clock: ServerClock;
  const receiveDate = (date: number): void => clock.learn(new Date(date).toUTCString());
  beforeEach(() => {
    here = at;
    clock = new ServerClock(() => here);
  });

  it('is the local clock before the first answer', () => {
    expect(clock.now()).toBe(at);
    for (const date of [null, '', 'soon']) clock.learn(date);
    expect(clock.now()).toBe(at);
  });

  it.each([HOUR, -HOUR])('follows the server if the local clock is off by %d ms', (off) => {
    receiveDate(at + off);
    expect(clock.now()).toBe(at + off);
    here += 1000;
    expect(clock.now()).toBe(at + off + 1000);
  });

  it('ignores the duration of an answer', () => {
    receiveDate(at - 3000);
    expect(clock.now()).toBe(at);
    receiveDate(at + HOUR);
    receiveDate(at + HOUR - 2000);
    expect(clock.now()).toBe(at + HOUR);
  });

  it('follows a correction of the local clock', () => {
    receiveDate(at + HOUR);
    here = at + HOUR;
    receiveDate(at + HOUR);
    expect(clock.now()).toBe(at + HOUR);
  });
});
