import { reasonOf } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';
import { setTimeout as sleep } from 'node:timers/promises';

export interface PreparationOptions {
  /** False while the database does not have the tables yet. */
  readonly isPrepared: () => Promise<boolean>;
  /** Completes "… cannot be stored yet". */
  readonly content: string;
  readonly logger: Logger;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

const RETRY_MS = 1_000;

/** Resolves with true when the database has the tables, with false when the wait was ended before. */
export async function untilPrepared({ isPrepared, content, logger, signal }: PreparationOptions): Promise<boolean> {
  // The reader of records reports a database that does not respond, too.
  const unavailable = (error: unknown): boolean => {
    logger.debug({ reason: reasonOf(error) }, `${content} cannot be stored yet`);
    return false;
  };
  while (!(await isPrepared().catch(unavailable))) {
    if (signal.aborted) return false;
    // Ends early when it has to stop.
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
  return true;
}
