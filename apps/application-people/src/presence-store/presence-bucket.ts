import type { Bus } from '@ringdown/nats';
import { Bucket } from '@ringdown/nats/buckets';
import type { Logger } from '@ringdown/observability';
import { parseWatchList, type WatchList } from './watch-list.js';
import { parsePresenceRecord, type PresenceRecord } from './presence-record.js';

const NAME = 'PRESENCE';

export interface PresenceListener {
  readonly onPresence: (key: string, record: PresenceRecord) => void;
  readonly onWatchList: (key: string, list: WatchList) => void;
}

/**
 * The presence of people and their watchers, in one bucket: a replica that has received a change of someone's presence
 * has then also received the watch lists that were written before it. Entries are emptied, never deleted.
 */
export class PresenceBucket {
  private readonly loaded = Promise.withResolvers<void>();
  /** Resolves when all entries that existed at the start were received; never if there were none. */
  readonly current = this.loaded.promise;

  private constructor(
    readonly presence: Bucket<PresenceRecord>,
    readonly watchLists: Bucket<WatchList>,
    private readonly allEntries: Bucket<unknown>,
    private readonly logger: Logger,
  ) {}

  static async open(bus: Bus, logger: Logger): Promise<PresenceBucket> {
    const own = { bus, name: NAME, maxAgeMs: 0 } as const;
    return new PresenceBucket(
      await Bucket.open({ ...own, parse: parsePresenceRecord }),
      await Bucket.open({ ...own, parse: parseWatchList }),
      await Bucket.open({ ...own, parse: (value) => value }),
      logger,
    );
  }

  /** Returns the function that unsubscribes. */
  follow({ onPresence, onWatchList }: PresenceListener): () => void {
    return this.allEntries.follow(this.logger, (key, value, isNewest) => {
      if (key.startsWith('user.')) onPresence(key, parsePresenceRecord(value));
      else onWatchList(key, parseWatchList(value));
      if (isNewest) this.loaded.resolve();
    });
  }
}
