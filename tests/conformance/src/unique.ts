import { randomBytes } from 'node:crypto';

/** The system may hold data of earlier runs: whatever is told apart by a name gets one that nobody has used. */
export function unique(prefix: string): string {
  return `${prefix}${randomBytes(6).toString('hex')}`;
}

/** The system may have much else to do; a limit of its own has whoever tests one. */
export const PATIENCE_MS = 120_000;

/** Asks until the answer is not undefined; throws an Error with what it waited for. */
export async function until<T>(what: string, ask: () => Promise<T | undefined>, withinMs = PATIENCE_MS): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`waited ${withinMs} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
