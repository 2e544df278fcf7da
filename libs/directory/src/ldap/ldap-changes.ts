import { hash } from 'node:crypto';
import type { Person, Role } from '../people/person.js';
import type { LdapConnection } from './ldap-connection.js';
import { DirectoryRequestRejected } from './ldap-failure.js';
import type { LdapPerson } from './ldap-person.js';
import { GROUP_ROLES, type LdapReader, type MembersByRole, type PeopleReading } from './ldap-reader.js';
import { movedBy } from './ldap-time.js';
import type { ServiceConnection } from './service-connection.js';

export interface LdapChangesOptions {
  readonly service: ServiceConnection;
  readonly reader: LdapReader;
  /** Interval of complete readings, milliseconds: only they detect people who were removed. */
  readonly fullRefreshMs: number;
}

/** The current state of a person, with the id of the entry. */
export interface IdentifiedPerson {
  readonly id: string;
  readonly person: Person;
}

/** The differences to what was reported before. */
export interface Change {
  readonly put: readonly IdentifiedPerson[];
  readonly removed: readonly string[];
}

/** The result of a successful reading. */
export interface ReadingResult {
  /** Whether it was a complete reading. */
  readonly all: boolean;
  /** Number of entries that were skipped because they have no usable username. */
  readonly skipped: number;
}

/** Applies a change; the reading continues when that is done. */
export type ApplyChange = (change: Change) => Promise<void>;

/** Replicas get changes late: what was changed within this time before the newest change is read once more, seconds. */
const OVERLAP_SECONDS = 60;
/** Bytes of a fingerprint: two people have the same one about once in 10^14 changes. */
const FINGERPRINT_BYTES = 6;
/** The fingerprint of a person whom another reader has reported: it equals no real one. */
const UNKNOWN = -1;
/** How many ids go into one change. */
const REMOVALS_PER_CHANGE = 1_000;

/**
 * Reads a directory repeatedly and reports what has changed since. Of the people already reported it keeps only a
 * fingerprint.
 */
export class LdapChanges {
  /** A fingerprint of every reported person, by id. */
  private readonly reported = new Map<string, number>();
  /** The ids found so far by a complete reading that is running. */
  private seen: Set<string> | undefined;
  private members: MembersByRole = new Map();
  /** The time of the newest change of an entry, in the server's own format. */
  private newest: string | undefined;
  private newestSeenAt = 0;
  private fullReadAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: LdapChangesOptions) {}

  /**
   * Marks these ids as known, with unknown content: they are reported when they are read, and as removed when they are
   * missing.
   */
  markKnown(ids: readonly string[]): void {
    for (const id of ids) {
      this.reported.set(id, UNKNOWN);
      this.seen?.add(id);
    }
  }

  /**
   * `throttled`: slowly, when no caller waits for it. What was reported before a failure is still correct; but a person
   * missing from an incomplete reading is not removed. Throws `DirectoryUnavailable`.
   */
  async read(throttled: boolean, apply: ApplyChange): Promise<ReadingResult> {
    const { service, fullRefreshMs } = this.options;
    const started = performance.now();
    const since = this.changedSince();
    const all = since === undefined || started - this.fullReadAt >= fullRefreshMs;
    const skipped = await service.use((connection) =>
      all ? this.readAll(connection, throttled, apply) : this.readPages(connection, { since, throttled }, apply),
    );
    if (all) this.fullReadAt = started;
    return { all, skipped };
  }

  /** The time from which changes are read; undefined when they cannot be followed. */
  private changedSince(): string | undefined {
    if (this.newest === undefined) return undefined;
    const isSettled = performance.now() - this.newestSeenAt > OVERLAP_SECONDS * 1000;
    return movedBy(this.newest, isSettled ? 1 : -OVERLAP_SECONDS);
  }

  private async readAll(connection: LdapConnection, throttled: boolean, apply: ApplyChange): Promise<number> {
    const { reader } = this.options;
    const seen = new Set<string>();
    this.seen = seen;
    try {
      this.members = await reader.membersByRole(connection);
      const skipped = await this.readPages(connection, { since: undefined, throttled }, apply);
      // A lost permission or a moved base look like this; a directory whose people were all removed does not occur.
      if (seen.size === 0 && this.reported.size > 0) {
        throw new DirectoryRequestRejected('the directory no longer returns any people');
      }
      await this.removeMissing(seen, apply);
      return skipped;
    } finally {
      this.seen = undefined;
    }
  }

  private async readPages(connection: LdapConnection, reading: PeopleReading, apply: ApplyChange): Promise<number> {
    let { newest } = this;
    let skipped = 0;
    for await (const page of this.options.reader.people(connection, reading)) {
      await this.report(page.people, apply);
      for (const { changed } of page.people) {
        if (changed !== undefined && (newest === undefined || changed > newest)) newest = changed;
      }
      skipped += page.skipped;
    }
    // Only at the end: entries come in any order, and an older one may be missing until the last page.
    if (newest !== this.newest) this.newestSeenAt = performance.now();
    this.newest = newest;
    return skipped;
  }

  private async report(people: readonly LdapPerson[], apply: ApplyChange): Promise<void> {
    const put: IdentifiedPerson[] = [];
    const fingerprints: number[] = [];
    for (const { id, person: read } of people) {
      const person = { ...read, roles: this.rolesOf(id) };
      const fingerprint = fingerprintOf(person);
      this.seen?.add(id);
      if (this.reported.get(id) === fingerprint) continue;
      put.push({ id, person });
      fingerprints.push(fingerprint);
    }
    if (put.length === 0) return;
    for (const [at, { id }] of put.entries()) this.reported.set(id, fingerprints[at] ?? UNKNOWN);
    await apply({ put, removed: [] });
  }

  private async removeMissing(seen: ReadonlySet<string>, apply: ApplyChange): Promise<void> {
    const missing = [...this.reported.keys()].filter((id) => !seen.has(id));
    for (let at = 0; at < missing.length; at += REMOVALS_PER_CHANGE) {
      const removed = missing.slice(at, at + REMOVALS_PER_CHANGE);
      for (const id of removed) this.reported.delete(id);
      await apply({ put: [], removed });
    }
  }

  private rolesOf(id: string): readonly Role[] {
    return ['user', ...GROUP_ROLES.filter((role) => this.members.get(role)?.has(id))];
  }
}

function fingerprintOf(person: Person): number {
  return hash('sha256', JSON.stringify(person), 'buffer').readUIntBE(0, FINGERPRINT_BYTES);
}
