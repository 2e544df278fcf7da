import type { Directory } from '@ringdown/directory';
import { currentAddresses, type Rename } from '@ringdown/directory/stored';
import type { Bus } from '@ringdown/nats';
import { Bucket, type Entry } from '@ringdown/nats/buckets';
import { createHash } from 'node:crypto';
import { compareAndSet, type Changed } from '../stored-entries/compare-and-set.js';
import { deleteEntry } from '../stored-entries/delete-entry.js';
import { moveEntry } from '../stored-entries/move-entry.js';
import { DEFAULT_LEVEL, RELATIONSHIP_LEVELS, type RelationshipLevel } from './relationship-level.js';

/** How calls are forwarded. Kept for the clients of the person: there is no telephone behind it. */
export interface CallForwarding {
  readonly activePeriod: string;
  readonly activeSetting: string;
  readonly unansweredCallHandling: string;
}

export interface PersonalRecord {
  readonly v: 1;
  readonly callForwarding?: CallForwarding;
  /** The levels that the person has chosen for others, by SIP address. */
  readonly relationships: Readonly<Record<string, RelationshipLevel>>;
}

const NOTHING: PersonalRecord = { v: 1, relationships: {} };

interface PersonalSettingsOptions {
  readonly bus: Bus;
  readonly directory: Directory;
}

/** The settings that people keep on the server: `settings.<hash of the username>` in the bucket of contact lists. */
export class PersonalSettings {
  private constructor(
    private readonly bucket: Bucket<PersonalRecord>,
    private readonly directory: Directory,
  ) {}

  static async open({ bus, directory }: PersonalSettingsOptions): Promise<PersonalSettings> {
    const bucket = await Bucket.open({ bus, name: 'CONTACT_LISTS', maxAgeMs: 0, parse });
    return new PersonalSettings(bucket, directory);
  }

  async of(username: string): Promise<PersonalRecord> {
    return this.current(await this.bucket.get(personalSettingsKey(username)));
  }

  /** `change` may be called several times; if it throws, everything stays as it was. */
  change(username: string, change: (before: PersonalRecord) => PersonalRecord): Promise<Changed<PersonalRecord>> {
    return compareAndSet(this.bucket, personalSettingsKey(username), NOTHING, (before, entry) =>
      change(entry === undefined ? before : this.current(entry)),
    );
  }

  /** What a renamed person has stored stays with that person. */
  async move(rename: Rename): Promise<void> {
    await moveEntry({
      bucket: this.bucket,
      rename,
      keyOf: personalSettingsKey,
      read: (entry) => this.current(entry),
      merge: (before, since) => ({
        ...before,
        ...since,
        relationships: { ...before.relationships, ...since.relationships },
      }),
    });
  }

  /** What a removed person had stored before this time. */
  delete(username: string, before: number): Promise<void> {
    return deleteEntry(this.bucket, personalSettingsKey(username), before);
  }

  /** With the addresses that renamed people have now. */
  private current(entry: Entry<PersonalRecord> | undefined): PersonalRecord {
    if (entry === undefined) return NOTHING;
    const { value: record, storedAt } = entry;
    const addressOf = currentAddresses(this.directory, storedAt);
    const entries = Object.entries(record.relationships);
    if (entries.every(([address]) => addressOf(address) === address)) return record;
    const relationships = Object.fromEntries(entries.map(([address, level]) => [addressOf(address), level]));
    return { ...record, relationships };
  }

  /** What the person with this address is to the person with this name. */
  async levelOf(username: string, sipAddress: string): Promise<RelationshipLevel> {
    return levelIn(await this.of(username), sipAddress);
  }
}

export function levelIn({ relationships }: PersonalRecord, sipAddress: string): RelationshipLevel {
  return relationships[sipAddress] ?? DEFAULT_LEVEL;
}

/** Hashed, because names may contain characters that a key may not. */
function personalSettingsKey(username: string): string {
  return `settings.${createHash('sha256').update(username).digest('hex')}`;
}

function parse(value: unknown): PersonalRecord {
  if (isRecord(value)) return value;
  throw new Error('stored settings of a person have an unknown format');
}

function isRecord(value: unknown): value is PersonalRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { v, relationships } = Object(value);
  return v === 1 && Object.values(Object(relationships)).every((level) => isLevel(level));
}

function isLevel(value: unknown): value is RelationshipLevel {
  return RELATIONSHIP_LEVELS.some((level) => level === value);
}
