import { randomBytes } from 'node:crypto';

/** The system may contain data of earlier runs, so everything that is identified by a name gets a unique one. */
export function unique(prefix: string): string {
  return `${prefix}${randomBytes(6).toString('hex')}`;
}

/** The system may be busy; tests that need another limit have their own. */
export const PATIENCE_MS = 120_000;

/** Repeats a request until the result is not undefined; throws an Error with what it waited for. */
export async function until<T>(
  what: string,
  attempt: () => Promise<T | undefined>,
  withinMs = PATIENCE_MS,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const answer = await attempt();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`waited ${withinMs} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
