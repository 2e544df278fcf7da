import { hash } from 'node:crypto';
import type { Person, Role } from '../person.js';
import type { LdapConnection } from './ldap-connection.js';
import { DirectoryRefuses } from './ldap-failure.js';
import type { LdapPerson } from './ldap-person.js';
import type { LdapReader, PeopleReading } from './ldap-reader.js';
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
export interface Reading {
  /** Whether it was a complete reading. */
  readonly all: boolean;
  /** Number of entries that were skipped because they have no usable username. */
  readonly leftOut: number;
}

/** Applies a change; the reading continues when that is done. */
export type TakeChange = (change: Change) => Promise<void>;

/** Replicas get changes late: what was changed within this time before the newest change is read once more, seconds. */
const OVERLAP_SECONDS = 60;
/** Bytes of a fingerprint: two people have the same one about once in 10^14 changes. */
const FINGERPRINT_BYTES = 6;
/** The fingerprint of a person whom another reader has reported: it equals no real one. */
const UNKNOWN = -1;
/** How many ids go into one change. */
const REMOVED_AT_ONCE = 1_000;

/**
 * Reads a directory repeatedly and reports what has changed since. Of the people already reported it keeps only a
 * fingerprint.
 */
export class LdapChanges {
  /** A fingerprint of every reported person, by id. */
  private readonly handedOver = new Map<string, number>();
  /** The ids found so far by a complete reading that is running. */
  private seen: Set<string> | undefined;
  private operators: ReadonlySet<string> = new Set();
  private revealers: ReadonlySet<string> = new Set();
  /** The time of the newest change of an entry, in the server's own format. */
  private newest: string | undefined;
  private newestSeenAt = 0;
  private fullReadAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: LdapChangesOptions) {}

  /**
   * Marks these ids as known, with unknown content: they are reported when they are read, and as removed when they are
   * missing.
   */
  know(ids: readonly string[]): void {
    for (const id of ids) {
      this.handedOver.set(id, UNKNOWN);
      this.seen?.add(id);
    }
  }

  /**
   * `calm`: slowly, when no caller waits for it. What was reported before a failure is still correct; but a person
   * missing from an incomplete reading is not removed. Throws `DirectoryUnavailable`.
   */
  async read(calm: boolean, take: TakeChange): Promise<Reading> {
    const { service, fullRefreshMs } = this.options;
    const started = performance.now();
    const since = this.changedSince();
    const all = since === undefined || started - this.fullReadAt >= fullRefreshMs;
    const leftOut = await service.use((connection) =>
      all ? this.readAll(connection, calm, take) : this.readPages(connection, { since, calm }, take),
    );
    if (all) this.fullReadAt = started;
    return { all, leftOut };
  }

  /** The time from which changes are read; undefined when they cannot be followed. */
  private changedSince(): string | undefined {
    if (this.newest === undefined) return undefined;
    const isSettled = performance.now() - this.newestSeenAt > OVERLAP_SECONDS * 1000;
    return movedBy(this.newest, isSettled ? 1 : -OVERLAP_SECONDS);
  }

  private async readAll(connection: LdapConnection, calm: boolean, take: TakeChange): Promise<number> {
    const { reader } = this.options;
    const seen = new Set<string>();
    this.seen = seen;
    try {
      this.operators = await reader.operators(connection);
      this.revealers = await reader.revealers(connection);
      const leftOut = await this.readPages(connection, { since: undefined, calm }, take);
      // A lost permission or a moved base look like this; a directory whose people were all removed does not occur.
      if (seen.size === 0 && this.handedOver.size > 0) {
        throw new DirectoryRefuses('the directory no longer shows any person');
      }
      await this.removeAllBut(seen, take);
      return leftOut;
    } finally {
      this.seen = undefined;
    }
  }

  private async readPages(connection: LdapConnection, reading: PeopleReading, take: TakeChange): Promise<number> {
    let { newest } = this;
    let leftOut = 0;
    for await (const page of this.options.reader.people(connection, reading)) {
      await this.handOver(page.people, take);
      for (const { changed } of page.people) {
        if (changed !== undefined && (newest === undefined || changed > newest)) newest = changed;
      }
      leftOut += page.leftOut;
    }
    // Only at the end: entries come in any order, and an older one may be missing until the last page.
    if (newest !== this.newest) this.newestSeenAt = performance.now();
    this.newest = newest;
    return leftOut;
  }

  private async handOver(people: readonly LdapPerson[], take: TakeChange): Promise<void> {
    const put: IdentifiedPerson[] = [];
    const fingerprints: number[] = [];
    for (const { id, person: read } of people) {
      const person = { ...read, roles: this.rolesOf(id) };
      const fingerprint = fingerprintOf(person);
      this.seen?.add(id);
      if (this.handedOver.get(id) === fingerprint) continue;
      put.push({ id, person });
      fingerprints.push(fingerprint);
    }
    if (put.length === 0) return;
    for (const [at, { id }] of put.entries()) this.handedOver.set(id, fingerprints[at] ?? UNKNOWN);
    await take({ put, removed: [] });
  }

  private async removeAllBut(seen: ReadonlySet<string>, take: TakeChange): Promise<void> {
    const left = [...this.handedOver.keys()].filter((id) => !seen.has(id));
    for (let at = 0; at < left.length; at += REMOVED_AT_ONCE) {
      const removed = left.slice(at, at + REMOVED_AT_ONCE);
      for (const id of removed) this.handedOver.delete(id);
      await take({ put: [], removed });
    }
  }

  private rolesOf(id: string): readonly Role[] {
    const roles: Role[] = ['user'];
    if (this.operators.has(id)) roles.push('operator');
    if (this.revealers.has(id)) roles.push('reveal');
    return roles;
  }
}

function fingerprintOf(person: Person): number {
  return hash('sha256', JSON.stringify(person), 'buffer').readUIntBE(0, FINGERPRINT_BYTES);
}
