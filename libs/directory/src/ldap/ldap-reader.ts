import {
  AndFilter,
  EqualityFilter,
  ExtensibleFilter,
  GreaterThanEqualsFilter,
  OrFilter,
  PresenceFilter,
  type Entry,
  type Filter,
} from 'ldapts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LdapConnection, LdapSearch } from './ldap-connection.js';
import { DirectoryRequestRejected, RESULT } from './ldap-failure.js';
import type { LdapNames } from './ldap-names.js';
import type { EntryReader, LdapPerson } from './ldap-person.js';
import { ldapSettings } from './ldap-settings.js';
import type { Role } from '../people/person.js';

/** Roles that are given by a group of the directory. */
export type GroupRole = Exclude<Role, 'user'>;
export const GROUP_ROLES = ['operator', 'reveal', 'admin'] as const satisfies readonly GroupRole[];
/** DN of the group whose members have the role. */
export type RoleGroups = Readonly<Partial<Record<GroupRole, string | undefined>>>;
export type MembersByRole = ReadonlyMap<GroupRole, ReadonlySet<string>>;

const GROUP_SETTINGS: Readonly<Record<GroupRole, string>> = {
  operator: ldapSettings.directoryOperatorsGroup.env,
  reveal: ldapSettings.directoryRevealGroup.env,
  admin: ldapSettings.directoryAdminsGroup.env,
};

export interface LdapReaderOptions {
  readonly names: LdapNames;
  readonly entries: EntryReader;
  readonly baseDn: string;
  /** Completes usernames without a domain. */
  readonly sipDomain: string;
  /** Selects the entries of people. */
  readonly people: Filter;
  readonly pageSize: number;
  readonly roleGroups: RoleGroups;
  /** Matches the people who are operators. */
  readonly operatorsFilter?: Filter;
}

export interface PeoplePage {
  readonly people: readonly LdapPerson[];
  /** Number of entries that were skipped because they have no usable username. */
  readonly skipped: number;
}

export interface PeopleReading {
  /** Only people changed at that time (in the server's own format) or later. */
  readonly since: string | undefined;
  /** For a reading without a waiting caller: it pauses most of the time to leave CPU and directory to others. */
  readonly throttled: boolean;
}

/** A throttled reading pauses this many times as long as it has worked, but no longer than the next limit, milliseconds. */
const PAUSE_FACTOR = 2;
const MAX_PAUSE_MS = 200;

const ANYTHING = new PresenceFilter({ attribute: 'objectClass' });
/** Several entries may have the same name; one of them is the person. */
export const SAME_NAME = 5;
const MEMBERS = ['member', 'uniqueMember', 'memberUid'];
/** Results for a member in another directory, without a valid DN, or that the service account may not read: it is skipped. */
const UNREADABLE_MEMBER = [RESULT.referral, RESULT.invalidDnSyntax, RESULT.insufficientAccessRights];
/** Behind the name in `uniqueMember` (RFC 4517, section 3.3.21, Name And Optional UID). */
const OPTIONAL_UID = /#'[01]*'B$/;

/** Reads people and operators. Filters are built from values, never from text, so nothing must be escaped. */
export class LdapReader {
  constructor(private readonly options: LdapReaderOptions) {}

  /** All people, or those changed lately, page by page. */
  async *people(connection: LdapConnection, { since, throttled }: PeopleReading): AsyncGenerator<PeoplePage> {
    const { names, entries, pageSize } = this.options;
    const filter =
      since === undefined ? ANYTHING : new GreaterThanEqualsFilter({ attribute: names.changed, value: since });
    let requestedAt = performance.now();
    for await (const page of connection.pages(this.search(filter), pageSize)) {
      const read = page.map((entry) => entries.read(entry));
      const known = read.filter((person) => person !== undefined);
      yield { people: known, skipped: read.length - known.length };
      if (throttled) await sleep(Math.min(MAX_PAUSE_MS, PAUSE_FACTOR * (performance.now() - requestedAt)));
      requestedAt = performance.now();
    }
  }

  /**
   * The current state of one person; undefined when removed. Throws {@link DirectoryRequestRejected} when the directory shows
   * no people at all.
   */
  async person(connection: LdapConnection, id: string, username: string): Promise<LdapPerson | undefined> {
    const { names, entries } = this.options;
    const value = names.idIsBinary ? Buffer.from(id, 'base64') : id;
    const filters = [new EqualityFilter({ attribute: names.id, value }), ...this.named(username)];
    const found = await connection.find(this.search(new OrFilter({ filters })), SAME_NAME);
    const person = found.map((entry) => entries.read(entry)).find((each) => each?.id === id);
    if (person !== undefined) return person;
    const anyEntries = await connection.find(this.search(ANYTHING), 1);
    // After the loss of a permission the response is the same.
    if (anyEntries.length === 0) throw new DirectoryRequestRejected('the directory no longer returns any people');
    return undefined;
  }

  /** Filters for the entry with this username, which may be stored without its domain. */
  named(username: string): Filter[] {
    const { names, sipDomain } = this.options;
    const suffix = `@${sipDomain}`;
    const values = [username, ...(username.endsWith(suffix) ? [username.slice(0, -suffix.length)] : [])];
    return names.attributes.username.flatMap((attribute) =>
      values.map((value) => new EqualityFilter({ attribute, value })),
    );
  }

  /** The ids of the people with each role. Throws {@link DirectoryRequestRejected} when a group does not exist. */
  async membersByRole(connection: LdapConnection): Promise<MembersByRole> {
    const { roleGroups, operatorsFilter } = this.options;
    const members = new Map<GroupRole, Set<string>>();
    for (const role of GROUP_ROLES) {
      const ids = new Set<string>();
      members.set(role, ids);
      if (role === 'operator' && operatorsFilter !== undefined)
        await this.addMatching(connection, operatorsFilter, ids);
      await this.addGroup(connection, GROUP_SETTINGS[role], roleGroups[role], ids);
    }
    return members;
  }

  /** A search for people below the base, or for the person at one entry. */
  search(filter: Filter, at?: string): LdapSearch {
    const { baseDn, names, entries, people } = this.options;
    return {
      base: at ?? baseDn,
      scope: at === undefined ? 'sub' : 'base',
      filter: new AndFilter({ filters: [people, filter] }),
      attributes: entries.attributes,
      binaryAttributes: names.idIsBinary ? [names.id] : [],
    };
  }

  private async addGroup(
    connection: LdapConnection,
    setting: string,
    dn: string | undefined,
    ids: Set<string>,
  ): Promise<void> {
    if (dn === undefined) return;
    const search = { base: dn, scope: 'base', filter: ANYTHING, attributes: MEMBERS } as const;
    const [group] = await connection.findIfExists(search, 1);
    if (group === undefined) throw new DirectoryRequestRejected(`${setting}: the entry ${dn} does not exist`);
    const { memberRule } = this.options.names;
    if (memberRule === undefined) return this.addMembers(connection, group, ids);
    const { attribute, rule } = memberRule;
    await this.addMatching(connection, new ExtensibleFilter({ matchType: attribute, rule, value: dn }), ids);
  }

  /** Members are requested one by one: only the directory can compare different spellings of a name. */
  private async addMembers(connection: LdapConnection, group: Entry, ids: Set<string>): Promise<void> {
    const [userAttribute = ''] = this.options.names.attributes.username;
    for (const [name, value] of Object.entries(group)) {
      const isUserId = name.toLowerCase() === 'memberuid';
      for (const member of name === 'dn' ? [] : [value].flat().map(String)) {
        const search = isUserId
          ? this.search(new EqualityFilter({ attribute: userAttribute, value: member }))
          : this.search(ANYTHING, member.replace(OPTIONAL_UID, ''));
        for (const entry of await connection.findIfExists(search, 2, UNREADABLE_MEMBER)) this.add(entry, ids);
      }
    }
  }

  private async addMatching(connection: LdapConnection, filter: Filter, ids: Set<string>): Promise<void> {
    for await (const page of connection.pages(this.search(filter), this.options.pageSize)) {
      for (const entry of page) this.add(entry, ids);
    }
  }

  private add(entry: Entry, ids: Set<string>): void {
    const person = this.options.entries.read(entry);
    if (person !== undefined) ids.add(person.id);
  }
}
