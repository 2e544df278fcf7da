import { setImmediate as turn } from 'node:timers/promises';

/** What a check of another program has found; with the reason if this process was not able to look. */
export type ProbeResult = 'responds' | 'silent' | { readonly couldNotLook: string };

/** A timer that fires later than this was delayed by our own process or machine: a reply may wait to be read. */
const LATE_MS = 1_000;

/** What the check of a program has found that does not respond within a time; never resolves when `answered` is aborted first. */
export function silenceAfter(withinMs: number, answered: AbortSignal): Promise<ProbeResult> {
  const since = performance.now();
  return new Promise((resolve) => {
    const timer = setTimeout(() => void giveUp().then(resolve), withinMs);
    answered.addEventListener('abort', () => clearTimeout(timer));
  });
  async function giveUp(): Promise<ProbeResult> {
    const lateMs = performance.now() - since - withinMs;
    if (lateMs > LATE_MS) return { couldNotLook: `this process stood still for ${Math.round(lateMs / 1_000)} s` };
    // Timers come before input: a reply that has arrived is still read.
    await turn();
    await turn();
    return 'silent';
  }
}
