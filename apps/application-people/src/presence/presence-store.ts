import { Bucket, type Bus } from '@ringdown/bus';
import type { Logger } from '@ringdown/observability';
import { createHash } from 'node:crypto';
import type { PresenceChange } from './presence-changes.js';
import { newRecord, parsePresenceRecord, type PresenceRecord } from './presence-record.js';

/** Whose presence it is. */
export type PresenceOwner = Pick<PresenceRecord, 'sipAddress' | 'username'>;

export interface ChangedPresence {
  readonly record: PresenceRecord;
  /** False when the change left all as it was. */
  readonly isChanged: boolean;
}

/** Others may be faster again and again, but not for ever. */
const MAX_TRIES = 50;

/**
 * The presence of everybody, in the bus' store: every replica and every start knows it. A change is written only if the
 * record is still as it was when the change was made up, so replicas that change the same one take turns. Beside it,
 * a copy of everything in the memory of this replica, as of a moment ago.
 */
export class PresenceStore {
  private readonly copy = new Map<string, PresenceRecord>();
  private readonly unfollow: () => void;

  private constructor(
    private readonly bucket: Bucket<PresenceRecord>,
    logger: Logger,
  ) {
    this.unfollow = bucket.follow(logger, (key, record) => {
      if (record === undefined) this.copy.delete(key);
      else this.copy.set(key, record);
    });
  }

  static async open(bus: Bus, logger: Logger): Promise<PresenceStore> {
    const bucket = await Bucket.open({ bus, name: 'PRESENCE', maxAgeMs: 0, parse: parsePresenceRecord });
    return new PresenceStore(bucket, logger);
  }

  /** Everybody of whom something is stored, as of a moment ago. */
  get all(): Iterable<PresenceRecord> {
    return this.copy.values();
  }

  async read(owner: PresenceOwner): Promise<PresenceRecord> {
    const entry = await this.bucket.get(keyOf(owner));
    return entry?.value ?? newRecord(owner);
  }

  /** `change` may be called several times, until its outcome could be written. */
  async change(owner: PresenceOwner, change: PresenceChange): Promise<ChangedPresence> {
    const key = keyOf(owner);
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const entry = await this.bucket.get(key);
      const before = entry?.value ?? newRecord(owner);
      const record = change(before);
      if (record === before) return { record, isChanged: false };
      const isWritten = await (entry === undefined
        ? this.bucket.create(key, record)
        : this.bucket.update(key, record, entry.revision));
      if (isWritten) return { record, isChanged: true };
    }
    throw new Error('this presence is changed by others all the time');
  }

  close(): void {
    this.unfollow();
  }
}

/** Hashed, as addresses hold what no key may hold. */
function keyOf({ sipAddress }: PresenceOwner): string {
  return `user.${createHash('sha256').update(sipAddress).digest('hex')}`;
}
