import type { Bus } from '@ringdown/nats';
import { Bucket } from '@ringdown/nats/buckets';
import { createHash } from 'node:crypto';
import { compareAndSet } from '../../stored-entries/compare-and-set.js';
import { storedParser } from '../../stored-entries/stored-parser.js';

/** The newest invitations by guests of one meeting, the oldest first. */
interface StoredGuestInvitations {
  readonly v: 1;
  readonly invitations: readonly { readonly id: string; readonly at: number }[];
}

export interface GuestInvitationsOptions {
  readonly bus: Bus;
  /** The time in milliseconds since 1970. */
  readonly now?: () => number;
}

/** Invitations and conversations of guests of one meeting that are open at the same time. */
export const GUESTS_AT_ONCE = 10;
/** Invitations by guests of one meeting within {@link WINDOW_MS}. */
export const GUEST_INVITATIONS = 30;
const WINDOW_MS = 10 * 60 * 1000;

const NONE: StoredGuestInvitations = { v: 1, invitations: [] };
/** As the other entries of the bucket. */
const MAX_AGE_MS = 8 * 24 * 60 * 60 * 1000;

const parse = storedParser<StoredGuestInvitations>('the list of invitations by guests');

/**
 * Limits what the guests of a meeting may send to its organizer: everyone who has its address can become a guest any
 * number of times. `meeting.<hash of its URI>` in the store of the bus.
 */
export class GuestInvitations {
  private constructor(
    private readonly bucket: Bucket<StoredGuestInvitations>,
    private readonly now: () => number,
  ) {}

  static async open({ bus, now = Date.now }: GuestInvitationsOptions): Promise<GuestInvitations> {
    const bucket = await Bucket.open({ bus, name: 'OWN_CONVERSATIONS', maxAgeMs: MAX_AGE_MS, parse });
    return new GuestInvitations(bucket, now);
  }

  /** False when the guests of the meeting have sent too many, so that this one must not be sent. */
  async admit(meeting: string, id: string, isOpen: (id: string) => Promise<boolean>): Promise<boolean> {
    const key = guestMeetingKey(meeting);
    const known = (await this.bucket.get(key))?.value.invitations ?? [];
    const checked = await Promise.all(known.map(async (each) => ((await isOpen(each.id)) ? [] : [each.id])));
    const over = new Set(checked.flat());
    let isAdmitted = false;
    await compareAndSet(this.bucket, key, NONE, (before): StoredGuestInvitations => {
      const now = this.now();
      const recent = before.invitations.filter(({ at }) => at > now - WINDOW_MS);
      const open = before.invitations.filter((each) => !over.has(each.id));
      isAdmitted = recent.length < GUEST_INVITATIONS && open.length < GUESTS_AT_ONCE;
      if (!isAdmitted) return before;
      const kept = before.invitations.filter((each) => recent.includes(each) || open.includes(each));
      return { v: 1, invitations: [...kept, { id, at: now }] };
    });
    return isAdmitted;
  }
}

/** Hashed, because a URI contains characters that a key may not. */
function guestMeetingKey(meeting: string): string {
  return `meeting.${createHash('sha256').update(meeting.toLowerCase()).digest('hex')}`;
}
