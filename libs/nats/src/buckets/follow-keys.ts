import type { KV, KvWatchEntry, KvWatchOptions } from '@nats-io/kv';
import { errorReason } from '@ringdown/errors';
import { OutageLog, type Logger } from '@ringdown/observability';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '../bus.js';

const AGAIN_MS = 1_000;

type EntryListener = (entry: KvWatchEntry) => void;

export interface FollowedKeys {
  readonly bus: Bus;
  readonly kv: KV;
  readonly logger: Logger;
  readonly onEntry: EntryListener;
  /** May select fewer than all keys. */
  readonly watch?: KvWatchOptions;
}

/**
 * Reports each existing entry, then each change, in the order of revisions, until it is stopped. After every
 * interruption it starts again with all entries: the bus may have come back with an older state, whose next revisions
 * were used already. Returns the function that unsubscribes.
 */
export function followKeys(followed: FollowedKeys): () => void {
  const ended = new AbortController();
  void follow(followed, ended.signal);
  return () => ended.abort();
}

async function follow({ bus, kv, logger, onEntry, watch }: FollowedKeys, ended: AbortSignal): Promise<void> {
  const outage = new OutageLog({
    logger,
    failure: 'a bucket cannot be watched; retrying',
    recovery: 'the bucket is watched again',
  });
  while (!ended.aborted) {
    let isInterrupted = false;
    let changes: Awaited<ReturnType<KV['watch']>> | undefined;
    const interrupt = (): void => {
      isInterrupted = true;
      changes?.stop();
    };
    const unfollow = bus.onDisconnect(interrupt);
    ended.addEventListener('abort', interrupt, { once: true });
    try {
      // A request that is sent while the bus is disconnected is not answered before its timeout.
      bus.assertConnected();
      changes = await bus.opening(kv.watch(watch));
      outage.succeeded(0);
      if (isInterrupted) changes.stop();
      else for await (const entry of changes) report(entry, logger, onEntry);
    } catch (error) {
      outage.failed(0, errorReason(error));
    }
    unfollow();
    ended.removeEventListener('abort', interrupt);
    await sleep(AGAIN_MS, undefined, { signal: ended }).catch(() => undefined);
  }
}

/** An entry that cannot be read must not prevent the others from being reported. */
function report(entry: KvWatchEntry, logger: Logger, onEntry: EntryListener): void {
  try {
    onEntry(entry);
  } catch (error) {
    logger.error({ reason: errorReason(error), key: entry.key }, 'an entry could not be read');
  }
}
