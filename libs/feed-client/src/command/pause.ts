/** A timer cannot wait for longer: 2^31 - 1 ms, some 25 days. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Resolves early, without an error, when the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  for (let left = ms; left > 0 && !signal.aborted; left -= LONGEST_TIMER_MS)
    await pauseOnce(Math.min(left, LONGEST_TIMER_MS), signal);
}

function pauseOnce(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
