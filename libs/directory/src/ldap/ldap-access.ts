import { FilterParser } from 'ldapts';
import type { LdapServer } from './ldap-connection.js';
import type { LdapNames } from './ldap-names.js';
import { EntryReader } from './ldap-person.js';
import { LdapReader, type RoleGroups } from './ldap-reader.js';
import { ServiceConnection, type ServiceAccount } from './service-connection.js';

/** What is needed to read a directory: plain data, because each reading thread creates its own objects from it. */
export interface LdapAccess {
  readonly server: LdapServer;
  /** Without it all requests are anonymous. */
  readonly account?: ServiceAccount;
  readonly names: LdapNames;
  readonly baseDn: string;
  /** Completes usernames without a domain. */
  readonly sipDomain: string;
  /** Selects the entries of people; filters are written as in RFC 4515. */
  readonly peopleFilter: string;
  readonly pageSize: number;
  readonly roleGroups: RoleGroups;
  /** Matches the people who are operators. */
  readonly operatorsFilter?: string;
}

export interface LdapParts {
  readonly service: ServiceConnection;
  readonly entries: EntryReader;
  readonly reader: LdapReader;
}

export function ldapParts(access: LdapAccess): LdapParts {
  const { server, account, names, sipDomain, baseDn, peopleFilter, pageSize } = access;
  const { roleGroups, operatorsFilter } = access;
  const entries = new EntryReader({ names, sipDomain });
  const reader = new LdapReader({
    names,
    entries,
    baseDn,
    sipDomain,
    people: FilterParser.parseString(peopleFilter),
    pageSize,
    roleGroups,
    ...(operatorsFilter === undefined ? {} : { operatorsFilter: FilterParser.parseString(operatorsFilter) }),
  });
  return { service: new ServiceConnection(server, account), entries, reader };
}
