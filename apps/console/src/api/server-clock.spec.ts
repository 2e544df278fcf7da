import { ServerClock } from './server-clock.js';

describe('ServerClock', () => {
  const HOUR = 3_600_000;
  const at = Date.parse('2026-11-21T12:00:00Z');
  let here: number;
  let clock: ServerClock;
  const tell = (told: number): void => clock.learn(new Date(told).toUTCString());
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
    tell(at + off);
    expect(clock.now()).toBe(at + off);
    here += 1000;
    expect(clock.now()).toBe(at + off + 1000);
  });

  it('ignores the duration of an answer', () => {
    tell(at - 3000);
    expect(clock.now()).toBe(at);
    tell(at + HOUR);
    tell(at + HOUR - 2000);
    expect(clock.now()).toBe(at + HOUR);
  });

  it('follows a correction of the local clock', () => {
    tell(at + HOUR);
    here = at + HOUR;
    tell(at + HOUR);
    expect(clock.now()).toBe(at + HOUR);
  });
});
