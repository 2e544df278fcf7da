import { Bucket, type Bus } from '@ringdown/nats';
import { createHash, randomInt } from 'node:crypto';

/** Who is let into a meeting; only `Everyone` holds guests as well. */
export const ACCESS_LEVELS = ['None', 'SameEnterprise', 'Locked', 'Invited', 'Everyone'] as const;
export type AccessLevel = (typeof ACCESS_LEVELS)[number];

/** A meeting that somebody has made. Whoever knows its id may come in as a guest, so an id is as good as a passcode. */
export interface Meeting {
  /** Letters and digits. */
  readonly id: string;
  /** SIP address of whoever made it, lower case. */
  readonly organizer: string;
  readonly accessLevel: AccessLevel;
  readonly subject?: string;
  readonly description?: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
}

export type NewMeeting = Omit<Meeting, 'id' | 'createdAt'>;

interface MeetingsOptions {
  readonly bus: Bus;
  /** Tells the time in milliseconds since 1970. */
  readonly now?: () => number;
}

/** A meeting is forgotten this long after it was made, milliseconds. */
const MAX_AGE_MS = 90 * 24 * 60 * 60 * 1000;
/** Capitals and digits that nobody mistakes for another; 16 of them hold 80 bits. */
const ID_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const ID_LENGTH = 16;
const ID = /^[a-z0-9]{1,64}$/i;
const CONFERENCE_URI = /^(sip:[^\s;]+@[^\s;@]+);gruu;opaque=app:conf:focus:id:([a-z0-9]{1,64})$/i;

/** The meetings of all people, in the bus' store: application-people makes them, discovery-auth lets guests in. */
export class Meetings {
  private constructor(
    private readonly bucket: Bucket<Meeting>,
    private readonly now: () => number,
  ) {}

  static async open({ bus, now = Date.now }: MeetingsOptions): Promise<Meetings> {
    const bucket = await Bucket.open({ bus, name: 'MEETINGS', maxAgeMs: MAX_AGE_MS, parse: parseMeeting });
    return new Meetings(bucket, now);
  }

  async create(wanted: NewMeeting): Promise<Meeting> {
    for (;;) {
      const id = Array.from({ length: ID_LENGTH }, () => ID_LETTERS.charAt(randomInt(ID_LETTERS.length))).join('');
      const meeting = { ...wanted, id, createdAt: this.now() };
      if (await this.bucket.create(keyOf(wanted.organizer, id), meeting)) return meeting;
    }
  }

  /** Undefined for a meeting that is over, as for one that never was. */
  async find(organizer: string, id: string): Promise<Meeting | undefined> {
    if (!ID.test(id)) return undefined;
    const meeting = (await this.bucket.get(keyOf(organizer, id)))?.value;
    return meeting === undefined || this.isOver(meeting) ? undefined : meeting;
  }

  /** The newest last. */
  async of(organizer: string): Promise<readonly Meeting[]> {
    const entries = await this.bucket.entries(keyOf(organizer, '*'));
    const meetings = [...entries.values()].map(({ value }) => value);
    return meetings.filter((meeting) => !this.isOver(meeting)).toSorted((a, b) => a.createdAt - b.createdAt);
  }

  private isOver({ expiresAt }: Meeting): boolean {
    return expiresAt !== undefined && expiresAt <= this.now();
  }

  /** False when there was none. */
  async delete(organizer: string, id: string): Promise<boolean> {
    if ((await this.find(organizer, id)) === undefined) return false;
    await this.bucket.delete(keyOf(organizer, id));
    return true;
  }
}

/** The address of a meeting as clients know it (web-interface.md, section 1). */
export function conferenceUri({ organizer, id }: Pick<Meeting, 'organizer' | 'id'>): string {
  return `${organizer};gruu;opaque=app:conf:focus:id:${id}`;
}

/** Undefined for what is no address of a meeting. */
export function parseConferenceUri(uri: string): Pick<Meeting, 'organizer' | 'id'> | undefined {
  const [, organizer, id] = CONFERENCE_URI.exec(uri.trim()) ?? [];
  return organizer === undefined || id === undefined ? undefined : { organizer: organizer.toLowerCase(), id };
}

/** Hashed, as an address may hold what no key may. Ids are compared without regard to case. */
function keyOf(organizer: string, id: string): string {
  const digest = createHash('sha256').update(organizer.toLowerCase()).digest('hex');
  return `${digest}.${id.toUpperCase()}`;
}

function parseMeeting(value: unknown): Meeting {
  const { id, organizer, accessLevel, subject, description, createdAt, expiresAt } = Object(value);
  const level = ACCESS_LEVELS.find((each) => each === accessLevel);
  if (typeof id !== 'string' || typeof organizer !== 'string' || level === undefined || typeof createdAt !== 'number') {
    throw new Error('a stored meeting has another form than this version writes');
  }
  return {
    id,
    organizer,
    accessLevel: level,
    ...(typeof subject === 'string' ? { subject } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    createdAt,
    ...(typeof expiresAt === 'number' ? { expiresAt } : {}),
  };
}
