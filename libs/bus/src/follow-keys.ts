import type { KV, KvWatchEntry, KvWatchOptions } from '@nats-io/kv';
import type { Logger } from '@ringdown/observability';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from './bus.js';

const AGAIN_MS = 1_000;

type Tell = (entry: KvWatchEntry) => void;

/**
 * Tells of every entry that is there, then of every change, in the order of revisions, for as long as the bus is there.
 * After a loss it begins anew with every entry. `what` may ask for less. Returns the function that ends it.
 */
export function followKeys(kv: KV, logger: Logger, tell: Tell, what?: KvWatchOptions): () => void {
  const ended = new AbortController();
  void follow(() => kv.watch(what), logger, tell, ended.signal);
  return () => ended.abort();
}

async function follow(
  watch: () => ReturnType<KV['watch']>,
  logger: Logger,
  tell: Tell,
  ended: AbortSignal,
): Promise<void> {
  while (!ended.aborted) {
    try {
      const changes = await watch();
      const stop = (): void => changes.stop();
      if (ended.aborted) return stop();
      ended.addEventListener('abort', stop, { once: true });
      for await (const entry of changes) told(entry, logger, tell);
      ended.removeEventListener('abort', stop);
    } catch (error) {
      logger.warn({ reason: reasonOf(error) }, 'a bucket could not be followed; trying again');
    }
    await sleep(AGAIN_MS, undefined, { signal: ended }).catch(() => undefined);
  }
}

/** One entry that cannot be read does not keep the others from being heard of. */
function told(entry: KvWatchEntry, logger: Logger, tell: Tell): void {
  try {
    tell(entry);
  } catch (error) {
    logger.error({ reason: reasonOf(error), key: entry.key }, 'an entry could not be read');
  }
}
