import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { compareAndSet, type Changed } from './compare-and-set.js';
import { PresenceBucket } from './presence-bucket.js';
import type { PresenceChange } from './presence-changes.js';
import { newRecord, type PresenceRecord } from './presence-record.js';

/** Whose presence it is. */
export type PresenceOwner = Pick<PresenceRecord, 'sipAddress' | 'username'>;

/** After this long without a word of a change that was made, there is none to wait for, milliseconds. */
const HEARING_MS = 2_000;

interface Waiting {
  readonly key: string;
  readonly version: number;
  readonly resolve: () => void;
}

/**
 * The presence of everybody, in the bus' store: every replica and every start knows it. Beside it, a copy of everything in
 * the memory of this replica, as of a moment ago.
 */
@Injectable()
export class PresenceStore {
  private readonly copy = new Map<string, PresenceRecord>();
  private readonly waiting = new Set<Waiting>();

  constructor(private readonly bucket: PresenceBucket) {}

  /** Everybody of whom something is stored, as of a moment ago. */
  get all(): Iterable<PresenceRecord> {
    return this.copy.values();
  }

  /** Of whom something is stored, as of a moment ago. */
  known(sipAddress: string): PresenceRecord | undefined {
    return this.copy.get(keyOf({ sipAddress }));
  }

  async read(owner: PresenceOwner): Promise<PresenceRecord> {
    const entry = await this.bucket.presence.get(keyOf(owner));
    return entry?.value ?? newRecord(owner);
  }

  /** `change` may be called several times, until its outcome could be written. */
  change(owner: PresenceOwner, change: PresenceChange): Promise<Changed<PresenceRecord>> {
    return compareAndSet(this.bucket.presence, keyOf(owner), newRecord(owner), change);
  }

  /** Resolves when this replica has heard of this version, and so of all that was written before; after a while anyhow. */
  async heard({ version, ...owner }: PresenceRecord): Promise<void> {
    const key = keyOf(owner);
    if ((this.copy.get(key)?.version ?? 0) >= version) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = { key, version, resolve };
    this.waiting.add(waiting);
    const timer = setTimeout(resolve, HEARING_MS);
    await promise;
    clearTimeout(timer);
    this.waiting.delete(waiting);
  }

  hear(key: string, record: PresenceRecord): void {
    this.copy.set(key, record);
    for (const waiting of this.waiting) {
      if (waiting.key === key && record.version >= waiting.version) waiting.resolve();
    }
  }
}

/** Hashed, as addresses hold what no key may hold. */
function keyOf({ sipAddress }: Pick<PresenceOwner, 'sipAddress'>): string {
  return `user.${createHash('sha256').update(sipAddress).digest('hex')}`;
}
