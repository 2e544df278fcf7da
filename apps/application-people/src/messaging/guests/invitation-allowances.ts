import { KeyedMutex, spendOne, type Allowance } from '@ringdown/concurrency';
import type { Bus } from '@ringdown/nats';
import { Bucket } from '@ringdown/nats/buckets';
import { createHash } from 'node:crypto';
import { compareAndSet } from '../../stored-entries/compare-and-set.js';
import { storedParser } from '../../stored-entries/stored-parser.js';

/** How many invitations a person could send at this time, milliseconds since 1970; it grows until the limit. */
interface StoredAllowance extends Allowance {
  readonly v: 1;
}

export interface InvitationAllowancesOptions {
  readonly bus: Bus;
  /** The time in milliseconds since 1970. */
  readonly now?: () => number;
}

/** Invitations of one person at once. */
export const INVITATIONS = 500;
/** After this time so many are allowed again; an invitation can be read for as long after its end. */
export const WINDOW_MS = 5 * 60 * 1000;

/** As the other entries of the bucket. */
const MAX_AGE_MS = 8 * 24 * 60 * 60 * 1000;

const parse = storedParser<StoredAllowance>('the allowance of a caller');

/**
 * Limits the invitations of a person, in all applications: those that have failed are kept for a while, and all conversations
 * have one bucket. `caller.<hash of the username>` in the store of the bus.
 */
export class InvitationAllowances {
  private readonly mutex = new KeyedMutex();

  private constructor(
    private readonly bucket: Bucket<StoredAllowance>,
    private readonly now: () => number,
  ) {}

  static async open({ bus, now = Date.now }: InvitationAllowancesOptions): Promise<InvitationAllowances> {
    const bucket = await Bucket.open({ bus, name: 'OWN_CONVERSATIONS', maxAgeMs: MAX_AGE_MS, parse });
    return new InvitationAllowances(bucket, now);
  }

  /** False when the person has sent too many, so that this one must not be sent. */
  admit(username: string): Promise<boolean> {
    const key = `caller.${createHash('sha256').update(username).digest('hex')}`;
    return this.mutex.runExclusive(key, async () => {
      const full: StoredAllowance = { v: 1, left: INVITATIONS, at: this.now() };
      const { before, after } = await compareAndSet(this.bucket, key, full, (entry) => this.withOneLess(entry));
      return after !== before;
    });
  }

  private withOneLess(before: StoredAllowance): StoredAllowance {
    const after = spendOne(before, { most: INVITATIONS, refillMs: WINDOW_MS }, this.now());
    return after === undefined ? before : { v: 1, ...after };
  }
}
