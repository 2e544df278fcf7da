import { isOwnLack, errorReason } from '@ringdown/errors';
import { Socket } from 'node:net';
import { Client, DatabaseError } from 'pg';
import { silenceAfter, type ProbeResult } from '../silence.js';

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
  return isOwnLack(error) ? { couldNotLook: errorReason(error) } : 'silent';
}
