/** A machine may have much else to do, and what does not come at all is seen a little later. */
const PATIENCE_MS = 120_000;

/** Asks again and again until the answer is not undefined or false; says what it waited for when that takes too long. */
export async function eventually<T>(
  what: string,
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  withinMs = PATIENCE_MS,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`waited ${withinMs} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
