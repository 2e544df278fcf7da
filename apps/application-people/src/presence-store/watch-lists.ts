import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { compareAndSet, type Changed } from './compare-and-set.js';
import { PresenceBucket } from './presence-bucket.js';
import { newWatchList, peopleIn, running, type WatchList, type WatchListChange } from './watch-list.js';

/** A session that wants to hear of somebody. */
export interface Watcher {
  readonly username: string;
  readonly applicationId: string;
}

/** The subscriptions of everybody, in the bus' store, and in the memory of this replica who wants to hear of whom. */
@Injectable()
export class WatchLists {
  private readonly copy = new Map<string, WatchList>();
  /** Keys of the lists in which somebody is, by his SIP address. */
  private readonly keys = new Map<string, Set<string>>();

  constructor(private readonly bucket: PresenceBucket) {}

  /** All of them, as of a moment ago. */
  get all(): Iterable<WatchList> {
    return this.copy.values();
  }

  async read(username: string): Promise<WatchList> {
    const entry = await this.bucket.watchLists.get(keyOf(username));
    return entry?.value ?? newWatchList(username);
  }

  /** `change` may be called several times, until its outcome could be written. */
  change(username: string, change: WatchListChange): Promise<Changed<WatchList>> {
    return compareAndSet(this.bucket.watchLists, keyOf(username), newWatchList(username), change);
  }

  /** As of a moment ago. */
  watchersOf(sipAddress: string, now: number): readonly Watcher[] {
    return [...(this.keys.get(sipAddress) ?? [])].flatMap((key) => {
      const list = this.copy.get(key);
      if (list === undefined) return [];
      return Object.entries(list.applications)
        .filter(([, subscriptions]) => peopleIn(running(subscriptions, now)).includes(sipAddress))
        .map(([applicationId]) => ({ username: list.username, applicationId }));
    });
  }

  hear(key: string, list: WatchList): void {
    const before = this.copy.get(key);
    for (const uri of before === undefined ? [] : everybodyIn(before)) this.forget(uri, key);
    for (const uri of everybodyIn(list)) this.keys.set(uri, (this.keys.get(uri) ?? new Set()).add(key));
    this.copy.set(key, list);
  }

  private forget(uri: string, key: string): void {
    const keys = this.keys.get(uri);
    keys?.delete(key);
    if (keys?.size === 0) this.keys.delete(uri);
  }
}

function everybodyIn({ applications }: WatchList): readonly string[] {
  return peopleIn(Object.values(applications).flat());
}

/** Hashed, as people have names that no key may hold. */
function keyOf(username: string): string {
  return `watcher.${createHash('sha256').update(username).digest('hex')}`;
}
