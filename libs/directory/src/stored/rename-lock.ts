import type { Bucket } from '@ringdown/nats/buckets';
import { setTimeout as sleep } from 'node:timers/promises';
import { changedByOthers } from '../people/people-editor.js';
import { LOCK_KEY, type StoredEntry } from './stored-entry.js';

/** After which time without a renewal a lock counts as left by a process that was killed. */
const TIMEOUT_MS = 5_000;
const RENEWALS = 5;
const CHECK_MS = 10;
/** A rename takes milliseconds, and some more for each person who has the renamed one as a contact. */
const WAIT_MS = 60_000;
const VALUE: StoredEntry = { people: [] };

/** Renames and removals are several writes: only one of them is under way at a time, in all processes (ADR 0064). */
export class RenameLock {
  constructor(
    private readonly bucket: Bucket<StoredEntry>,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** Runs this alone. Throws {@link changedByOthers} with the username if others have the lock for a minute. */
  async hold<T>(username: string, work: (lock: HeldLock) => Promise<T>): Promise<T> {
    const lock = new HeldLock({ bucket: this.bucket, username, revision: await this.acquire(username) });
    const renewing = setInterval(() => lock.renewSoon(), this.timeoutMs / RENEWALS).unref();
    try {
      return await work(lock);
    } finally {
      clearInterval(renewing);
      await lock.release();
    }
  }

  /** The revision of the lock. */
  private async acquire(username: string): Promise<number> {
    const began = performance.now();
    let [seen, seenAt, readAt]: [number | undefined, number, number] = [undefined, began, began];
    for (;;) {
      const known = (await this.bucket.getNewest(LOCK_KEY))?.revision;
      const now = performance.now();
      // After a pause of this process, it does not know whether the holder has renewed the lock meanwhile.
      if (known !== seen || now > readAt + this.timeoutMs / RENEWALS) [seen, seenAt] = [known, now];
      readAt = now;
      if (known === undefined || now > seenAt + this.timeoutMs) {
        const revision = await this.bucket.write(LOCK_KEY, VALUE, known);
        if (revision !== undefined) return revision;
      }
      if (now > began + WAIT_MS) throw changedByOthers(username);
      await sleep(CHECK_MS);
    }
  }
}

interface Held {
  readonly bucket: Bucket<StoredEntry>;
  readonly username: string;
  readonly revision: number;
}

/** The lock while it is held. */
export class HeldLock {
  private revision: number | undefined;
  private renewing: Promise<void> = Promise.resolve();
  private isRenewing = false;

  constructor(private readonly held: Held) {
    this.revision = held.revision;
  }

  /** Before a write that only the holder may make. Throws {@link changedByOthers} if the process stood still so long that others have the lock. */
  async confirm(): Promise<void> {
    const renewed = this.renewing.then(() => this.renew());
    this.renewing = renewed.catch(() => undefined);
    await renewed;
    if (this.revision === undefined) throw changedByOthers(this.held.username);
  }

  /** A bus that is away is reported by what is written meanwhile. */
  renewSoon(): void {
    if (this.isRenewing) return;
    this.renewing = this.renewing.then(() => this.renew()).catch(() => undefined);
  }

  /** A lock that cannot be deleted is left, and ends by itself. */
  async release(): Promise<void> {
    await this.renewing;
    const { revision } = this;
    this.revision = undefined;
    if (revision !== undefined) await this.held.bucket.deleteAt(LOCK_KEY, revision).catch(() => false);
  }

  private async renew(): Promise<void> {
    if (this.revision === undefined) return;
    this.isRenewing = true;
    try {
      this.revision = await this.held.bucket.write(LOCK_KEY, VALUE, this.revision);
    } finally {
      this.isRenewing = false;
    }
  }
}
