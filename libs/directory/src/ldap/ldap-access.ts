import { FilterParser } from 'ldapts';
import type { LdapServer } from './ldap-connection.js';
import type { LdapNames } from './ldap-names.js';
import { EntryReader } from './ldap-person.js';
import { LdapReader } from './ldap-reader.js';
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
  /** DN of the group whose members are operators. */
  readonly operatorsGroup?: string;
  /** Matches the people who are operators. */
  readonly operatorsFilter?: string;
  /** DN of the group whose members may see users in exports. */
  readonly revealGroup?: string;
}

export interface LdapParts {
  readonly service: ServiceConnection;
  readonly entries: EntryReader;
  readonly reader: LdapReader;
}

export function ldapParts(access: LdapAccess): LdapParts {
  const { server, account, names, sipDomain, baseDn, peopleFilter, pageSize } = access;
  const { operatorsGroup, operatorsFilter, revealGroup } = access;
  const entries = new EntryReader({ names, sipDomain });
  const reader = new LdapReader({
    names,
    entries,
    baseDn,
    sipDomain,
    people: FilterParser.parseString(peopleFilter),
    pageSize,
    ...(operatorsGroup === undefined ? {} : { operatorsGroup }),
    ...(operatorsFilter === undefined ? {} : { operatorsFilter: FilterParser.parseString(operatorsFilter) }),
    ...(revealGroup === undefined ? {} : { revealGroup }),
  });
  return { service: new ServiceConnection(server, account), entries, reader };
}
