import { outOfStep, type Bus } from '@ringdown/nats';
import { Bucket, type Entry } from '@ringdown/nats/buckets';
import { createHash, randomInt } from 'node:crypto';

/** Who is admitted to a meeting; only `Everyone` includes guests. */
export const ACCESS_LEVELS = ['None', 'SameEnterprise', 'Locked', 'Invited', 'Everyone'] as const;
export type AccessLevel = (typeof ACCESS_LEVELS)[number];

/** A meeting created by a person. Its id works like a passcode: everyone who knows it may enter as a guest. */
export interface Meeting {
  /** Letters and digits. */
  readonly id: string;
  /** SIP address of the creator, lower case. */
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
/** What its organizer decides. */
export type MeetingContent = Omit<NewMeeting, 'organizer'>;

interface MeetingsOptions {
  readonly bus: Bus;
  /** The time in milliseconds since 1970. */
  readonly now?: () => number;
}

/** Other writers may be faster several times, but not forever. */
const MAX_TRIES = 50;
/** A meeting is deleted this long after its creation or its last change, milliseconds. */
const MAX_AGE_MS = 90 * 24 * 60 * 60 * 1000;
/** Capitals and digits that cannot be confused with each other; 16 of them hold 80 bits. */
const ID_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const ID_LENGTH = 16;
const ID = /^[a-z0-9]{1,64}$/i;
const CONFERENCE_URI = /^(sip:[^\s;]+@[^\s;@]+);gruu;opaque=app:conf:focus:id:([a-z0-9]{1,64})$/i;

/** The meetings of all people, stored on the bus: application-people creates them, discovery-auth admits guests. */
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
      if (await this.bucket.create(meetingKey(wanted.organizer, id), meeting)) return meeting;
    }
  }

  /**
   * Undefined when the organizer has so many already. Those that are over are deleted, since they take up the space of
   * others.
   */
  async createUpTo(limit: number, wanted: NewMeeting): Promise<Meeting | undefined> {
    const all = await this.stored(wanted.organizer);
    const over = all.filter(({ value }) => this.isOver(value));
    for (const { value } of over) await this.bucket.erase(meetingKey(value.organizer, value.id));
    return all.length - over.length >= limit ? undefined : this.create(wanted);
  }

  /** Undefined for a meeting that is over or never existed. */
  async find(organizer: string, id: string): Promise<Meeting | undefined> {
    if (!ID.test(id)) return undefined;
    const meeting = (await this.bucket.get(meetingKey(organizer, id)))?.value;
    return meeting === undefined || this.isOver(meeting) ? undefined : meeting;
  }

  /** The newest last. */
  async of(organizer: string): Promise<readonly Meeting[]> {
    const meetings = (await this.stored(organizer)).map(({ value }) => value);
    return meetings.filter((meeting) => !this.isOver(meeting)).toSorted((a, b) => a.createdAt - b.createdAt);
  }

  /** Also those that are over. */
  private async stored(organizer: string): Promise<readonly Entry<Meeting>[]> {
    return [...(await this.bucket.entries(meetingKey(organizer, '*'))).values()];
  }

  private isOver({ expiresAt }: Meeting): boolean {
    return expiresAt !== undefined && expiresAt <= this.now();
  }

  /**
   * Undefined for a meeting that is over or never existed. `change` may be called several times; if it throws, the
   * meeting stays as it was.
   */
  async change(
    organizer: string,
    id: string,
    change: (before: Meeting) => MeetingContent,
  ): Promise<Meeting | undefined> {
    if (!ID.test(id)) return undefined;
    const key = meetingKey(organizer, id);
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const entry = await this.bucket.getNewest(key);
      if (entry === undefined || this.isOver(entry.value)) return undefined;
      const { id: own, organizer: owner, createdAt } = entry.value;
      const meeting = { ...change(entry.value), id: own, organizer: owner, createdAt };
      if (await this.bucket.update(key, meeting, entry.revision)) return meeting;
      await outOfStep(tries);
    }
    throw new Error('could not write the meeting: other replicas keep changing it');
  }

  /**
   * Gives the meetings of a person to another address of that person, if `isOwn` is true of the time at which they were
   * stored, milliseconds since 1970. May be interrupted and repeated.
   */
  async move(from: string, to: string, isOwn: (storedAt: number) => boolean): Promise<void> {
    for (const { value: meeting, storedAt } of await this.stored(from)) {
      if (!isOwn(storedAt)) continue;
      if (!this.isOver(meeting)) await this.bucket.create(meetingKey(to, meeting.id), { ...meeting, organizer: to });
      await this.bucket.erase(meetingKey(from, meeting.id));
    }
  }

  /** Deletes the meetings of a removed person that were stored before this time: those that were moved here later stay. */
  async deleteAll(organizer: string, before: number): Promise<void> {
    for (const { value, storedAt } of await this.stored(organizer)) {
      if (storedAt < before) await this.bucket.erase(meetingKey(organizer, value.id));
    }
  }

  /** False when there was no such meeting. */
  async delete(organizer: string, id: string): Promise<boolean> {
    if ((await this.find(organizer, id)) === undefined) return false;
    await this.bucket.erase(meetingKey(organizer, id));
    return true;
  }
}

/** The address of a meeting in the form that clients know (web-interface.md, section 1). */
export function conferenceUri({ organizer, id }: Pick<Meeting, 'organizer' | 'id'>): string {
  return `${organizer};gruu;opaque=app:conf:focus:id:${id}`;
}

/** Undefined for a text that is not the address of a meeting. */
export function parseConferenceUri(uri: string): Pick<Meeting, 'organizer' | 'id'> | undefined {
  const [, organizer, id] = CONFERENCE_URI.exec(uri.trim()) ?? [];
  return organizer === undefined || id === undefined ? undefined : { organizer: organizer.toLowerCase(), id };
}

/** Hashed, because an address may contain characters that are not allowed in a key. Ids ignore case. */
function meetingKey(organizer: string, id: string): string {
  const digest = createHash('sha256').update(organizer.toLowerCase()).digest('hex');
  return `${digest}.${id.toUpperCase()}`;
}

function parseMeeting(value: unknown): Meeting {
  const { id, organizer, accessLevel, subject, description, createdAt, expiresAt } = Object(value);
  const level = ACCESS_LEVELS.find((each) => each === accessLevel);
  if (typeof id !== 'string' || typeof organizer !== 'string' || level === undefined || typeof createdAt !== 'number') {
    throw new Error('a stored meeting has an unknown format');
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
