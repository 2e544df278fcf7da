/** Long, because the machine may be busy; a failure is only reported a little later. */
const TIMEOUT_MS = 120_000;
/** Between two checks, each of which is often a request: a part of the time that was waited so far, within these limits. */
const PART = 0.05;
const SHORTEST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 100;

/**
 * Calls repeatedly until the result is not undefined or false; rejects with the name of the condition after a time
 * limit.
 */
export async function eventually<T>(
  what: string,
  check: () => T | undefined | false | Promise<T | undefined | false>,
  withinMs = TIMEOUT_MS,
): Promise<T> {
  const began = performance.now();
  for (;;) {
    const result = await check();
    if (result !== undefined && result !== false) return result;
    const waited = performance.now() - began;
    if (waited > withinMs) throw new Error(`waited ${withinMs} ms for ${what}`);
    const pause = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, waited * PART));
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
