/** Long, because the machine may be busy; a failure is only reported a little later. */
const TIMEOUT_MS = 120_000;

/**
 * Calls repeatedly until the result is not undefined or false; rejects with the name of the condition after a time
 * limit.
 */
export async function eventually<T>(
  what: string,
  check: () => T | undefined | false | Promise<T | undefined | false>,
  withinMs = TIMEOUT_MS,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const result = await check();
    if (result !== undefined && result !== false) return result;
    if (Date.now() > deadline) throw new Error(`waited ${withinMs} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
