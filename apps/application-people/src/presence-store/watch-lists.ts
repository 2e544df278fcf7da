import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { compareAndSet, type Changed } from '../stored-entries/compare-and-set.js';
import { PresenceBucket } from './presence-bucket.js';
import { newWatchList, peopleIn, runningSubscriptions, type WatchList, type WatchListChange } from './watch-list.js';

/** A session that is subscribed to a person. */
export interface Watcher {
  readonly username: string;
  readonly applicationId: string;
}

/**
 * The subscriptions of all users, in the store of the bus; the memory of this replica has the subscribers of each
 * person.
 */
@Injectable()
export class WatchLists {
  private readonly copy = new Map<string, WatchList>();
  /** Keys of the watch lists that contain a person, by SIP address. */
  private readonly keys = new Map<string, Set<string>>();

  constructor(private readonly bucket: PresenceBucket) {}

  /** All watch lists, from the copy in memory. */
  get all(): Iterable<WatchList> {
    return this.copy.values();
  }

  async read(username: string): Promise<WatchList> {
    const entry = await this.bucket.watchLists.getNewest(watchListKey(username));
    return entry?.value ?? newWatchList(username);
  }

  /** `change` may be called several times, until its result can be written. */
  change(username: string, change: WatchListChange): Promise<Changed<WatchList>> {
    return compareAndSet(this.bucket.watchLists, watchListKey(username), newWatchList(username), change);
  }

  /** The subscribers of a person, from the copy in memory. */
  watchersOf(sipAddress: string, now: number): readonly Watcher[] {
    return [...(this.keys.get(sipAddress) ?? [])].flatMap((key) => {
      const list = this.copy.get(key);
      if (list === undefined) return [];
      return Object.entries(list.applications)
        .filter(([, subscriptions]) => peopleIn(runningSubscriptions(subscriptions, now)).includes(sipAddress))
        .map(([applicationId]) => ({ username: list.username, applicationId }));
    });
  }

  apply(key: string, list: WatchList): void {
    const before = this.copy.get(key);
    for (const uri of before === undefined ? [] : watchedIn(before)) this.forget(uri, key);
    for (const uri of watchedIn(list)) this.keys.set(uri, (this.keys.get(uri) ?? new Set()).add(key));
    this.copy.set(key, list);
  }

  private forget(uri: string, key: string): void {
    const keys = this.keys.get(uri);
    keys?.delete(key);
    if (keys?.size === 0) this.keys.delete(uri);
  }
}

function watchedIn({ applications }: WatchList): readonly string[] {
  return peopleIn(Object.values(applications).flat());
}

/** Hashed, because names may contain characters that a key may not. */
function watchListKey(username: string): string {
  return `watcher.${createHash('sha256').update(username).digest('hex')}`;
}
