import { jest } from '@jest/globals';
import { BackOff } from './back-off.js';

describe('BackOff', () => {
  function clocked(
    failuresBeforeBackOff: number,
    mostSeconds: number,
  ): { backOff: BackOff; clock: { at: number }; pause: () => number } {
    const clock = { at: 1_000_000 };
    const backOff = new BackOff({ failuresBeforeBackOff, mostSeconds }, () => clock.at);
    const pause = (): number => {
      backOff.failed(clock.at);
      const { pauseMs } = backOff;
      clock.at += pauseMs;
      return pauseMs;
    };
    return { backOff, clock, pause };
  }

  it('pauses shortly after the first failures, then a second longer each time, up to the maximum', () => {
    const { pause } = clocked(2, 3);
    expect(Array.from({ length: 7 }, pause)).toEqual([100, 100, 1_000, 2_000, 3_000, 3_000, 3_000]);
  });

  it('starts again after a success', () => {
    const { backOff, pause } = clocked(0, 30);
    pause();
    pause();
    backOff.succeeded();
    expect(backOff.pauseMs).toBe(0);
    expect(pause()).toBe(1_000);
  });

  it('counts requests that failed together as one failure', () => {
    const { backOff, clock } = clocked(0, 30);
    const startedAt = clock.at - 10;
    for (let n = 0; n < 100; n++) backOff.failed(startedAt);
    expect(backOff.pauseMs).toBe(1_000);
  });

  it('waits as long as the receiver requests, within its own limit', () => {
    const { backOff, clock } = clocked(5, 30);
    backOff.failed(clock.at, 7_000);
    expect(backOff.pauseMs).toBe(7_000);
    clock.at += 7_000;
    backOff.failed(clock.at, 3_600_000);
    expect(backOff.pauseMs).toBe(30_000);
  });

  it('does not wait for a clock that is set back', () => {
    const backOff = new BackOff({ failuresBeforeBackOff: 5, mostSeconds: 30 });
    backOff.failed(performance.now());
    const before = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(before - 3_600_000);
    expect(backOff.pauseMs).toBeLessThanOrEqual(100);
    jest.restoreAllMocks();
  });

  it('stops waiting when the signal is aborted', async () => {
    const backOff = new BackOff({ failuresBeforeBackOff: 0, mostSeconds: 600 });
    backOff.failed(performance.now(), 600_000);
    const stopping = new AbortController();
    const waiting = backOff.ready(stopping.signal);
    stopping.abort();
    await expect(waiting).resolves.toBeUndefined();
  });
});
