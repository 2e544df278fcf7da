import { isOwnLack, reasonOf } from '@ringdown/errors';
import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import type { ProbeResult } from '../jetstream-probe.js';

/** A timer that fires later than this was delayed by our own process or machine: a reply may wait to be read. */
const LATE_MS = 1_000;

/**
 * Whether the server responds, if only with a refusal: while it repairs its files after a crash, or has no room for another
 * connection, it works.
 */
export async function probePostgres(url: string, withinMs: number): Promise<ProbeResult> {
  const stream = new Socket();
  const client = new Client({ connectionString: url, stream: () => stream });
  client.on('error', () => undefined);
  const answer = client
    .connect()
    .then(() => client.query('select 1'))
    .then((): ProbeResult => 'responds', whatFailureSays);
  const timeUp = new AbortController();
  const found = await Promise.race([answer, silenceAfter(withinMs, timeUp.signal)]);
  timeUp.abort();
  // A silent server would not close it.
  stream.destroy();
  return found;
}

function whatFailureSays(error: unknown): ProbeResult {
  if (error instanceof DatabaseError) return 'responds';
  return isOwnLack(error) ? { couldNotLook: reasonOf(error) } : 'silent';
}

function silenceAfter(withinMs: number, answered: AbortSignal): Promise<ProbeResult> {
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
