import { ServerClock } from './server-clock.js';

describe('the clock of the server', () => {
  const HOUR = 3_600_000;
  const at = Date.parse('2026-11-21T12:00:00Z');
  let here: number;
  let clock: ServerClock;
  const tell = (told: number): void => clock.learn(new Date(told).toUTCString());
  beforeEach(() => {
    here = at;
    clock = new ServerClock(() => here);
  });

  it('is that of this machine as long as nothing else is told', () => {
    expect(clock.now()).toBe(at);
    for (const date of [null, '', 'soon']) clock.learn(date);
    expect(clock.now()).toBe(at);
  });

  it.each([HOUR, -HOUR])('goes by the server where this machine is off by %d ms', (off) => {
    tell(at + off);
    expect(clock.now()).toBe(at + off);
    here += 1000;
    expect(clock.now()).toBe(at + off + 1000);
  });

  it('takes no notice of what an answer needs to come', () => {
    tell(at - 3000);
    expect(clock.now()).toBe(at);
    tell(at + HOUR);
    tell(at + HOUR - 2000);
    expect(clock.now()).toBe(at + HOUR);
  });

  it('follows when the clock here is set right', () => {
    tell(at + HOUR);
    here = at + HOUR;
    tell(at + HOUR);
    expect(clock.now()).toBe(at + HOUR);
  });
});
