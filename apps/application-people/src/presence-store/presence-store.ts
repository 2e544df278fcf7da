import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { compareAndSet, type Changed } from '../stored-entries/compare-and-set.js';
import { PresenceBucket } from './presence-bucket.js';
import type { PresenceChange } from './presence-changes.js';
import { newRecord, type PresenceRecord } from './presence-record.js';

/** The person whose presence it is. */
export type PresenceOwner = Pick<PresenceRecord, 'sipAddress' | 'username'>;

/** If no notification of a change arrives in this time, it is not waited for any longer, milliseconds. */
const UPDATE_WAIT_MS = 2_000;

interface Waiting {
  readonly key: string;
  readonly version: number;
  readonly resolve: () => void;
}

/**
 * The presence of all people, in the store of the bus, so that every replica has it, also after a restart. In addition,
 * this replica keeps a copy of all of it in memory, which may be slightly old.
 */
@Injectable()
export class PresenceStore {
  private readonly copy = new Map<string, PresenceRecord>();
  private readonly waiting = new Set<Waiting>();

  constructor(private readonly bucket: PresenceBucket) {}

  /** All stored records, from the copy in memory. */
  get all(): Iterable<PresenceRecord> {
    return this.copy.values();
  }

  /** The stored record of a person, from the copy in memory. */
  cached(sipAddress: string): PresenceRecord | undefined {
    return this.copy.get(presenceKey({ sipAddress }));
  }

  async read(owner: PresenceOwner): Promise<PresenceRecord> {
    const entry = await this.bucket.presence.getNewest(presenceKey(owner));
    return entry?.value ?? newRecord(owner);
  }

  /** `change` may be called several times, until its result can be written. */
  change(owner: PresenceOwner, change: PresenceChange): Promise<Changed<PresenceRecord>> {
    return compareAndSet(this.bucket.presence, presenceKey(owner), newRecord(owner), change);
  }

  /**
   * Resolves when this replica has received this version, and so everything that was written before; otherwise after a
   * timeout.
   */
  async waitForUpdate({ version, ...owner }: PresenceRecord): Promise<void> {
    const key = presenceKey(owner);
    if ((this.copy.get(key)?.version ?? 0) >= version) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = { key, version, resolve };
    this.waiting.add(waiting);
    const timer = setTimeout(resolve, UPDATE_WAIT_MS);
    await promise;
    clearTimeout(timer);
    this.waiting.delete(waiting);
  }

  apply(key: string, record: PresenceRecord): void {
    this.copy.set(key, record);
    for (const waiting of this.waiting) {
      if (waiting.key === key && record.version >= waiting.version) waiting.resolve();
    }
  }
}

/** Hashed, because addresses may contain characters that a key may not. */
function presenceKey({ sipAddress }: Pick<PresenceOwner, 'sipAddress'>): string {
  return `user.${createHash('sha256').update(sipAddress).digest('hex')}`;
}
