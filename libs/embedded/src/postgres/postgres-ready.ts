import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { nodeErrorCode } from '@ringdown/errors';

const CHECK_MS = 25;
/** cannot_connect_now: it starts, or repairs its files after a crash. */
const NOT_YET = '57P03';
/** No socket yet, or nobody listens on it. */
const NOBODY: readonly (string | undefined)[] = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'];

interface Start {
  readonly url: string;
  /** Ends the wait. */
  readonly ended: AbortSignal;
  /** Called each time that the server says that it starts, or repairs its files, which may take many minutes. */
  readonly onStarting: () => void;
}

/** Connects as soon as the server accepts connections, and runs `work`. Rejects when `ended` is aborted first. */
export async function onceReady(
  { url, ended, onStarting }: Start,
  work: (client: Client) => Promise<void>,
): Promise<void> {
  for (;;) {
    const client = new Client({ connectionString: url });
    // A server that ends meanwhile is reported by its exit.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await work(client);
      return;
    } catch (error) {
      const isStarting = error instanceof DatabaseError && error.code === NOT_YET;
      if (isStarting) onStarting();
      else if (!NOBODY.includes(nodeErrorCode(error)) && !isLost(error)) throw error;
    } finally {
      await client.end().catch(() => undefined);
    }
    await sleep(CHECK_MS, undefined, { signal: ended });
  }
}

/** The server has closed the connection without a word (client.js of pg): the next attempt, or its end, says why. */
function isLost(error: unknown): boolean {
  return error instanceof Error && error.message === 'Connection terminated unexpectedly';
}
