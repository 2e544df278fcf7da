import { Bucket, type Bus } from '@ringdown/nats';
import type { Logger } from '@ringdown/observability';
import { parseWatchList, type WatchList } from './watch-list.js';
import { parsePresenceRecord, type PresenceRecord } from './presence-record.js';

const NAME = 'PRESENCE';

export interface PresenceListener {
  readonly onPresence: (key: string, record: PresenceRecord) => void;
  readonly onWatchList: (key: string, list: WatchList) => void;
}

/**
 * The presence of people and who wants to hear of it, in one bucket: whoever has heard of a change of somebody's presence
 * has then also heard of everybody who wanted to know of it at that moment. Entries are emptied, never deleted.
 */
export class PresenceBucket {
  private readonly heard = Promise.withResolvers<void>();
  /** Resolves when all that was there at the beginning has been heard; never when nothing was there. */
  readonly current = this.heard.promise;

  private constructor(
    readonly presence: Bucket<PresenceRecord>,
    readonly watchLists: Bucket<WatchList>,
    private readonly everything: Bucket<unknown>,
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

  /** Returns the function that ends it. */
  follow({ onPresence, onWatchList }: PresenceListener): () => void {
    return this.everything.follow(this.logger, (key, value, isNewest) => {
      if (key.startsWith('user.')) onPresence(key, parsePresenceRecord(value));
      else onWatchList(key, parseWatchList(value));
      if (isNewest) this.heard.resolve();
    });
  }
}
