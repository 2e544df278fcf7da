import type { Person, PersonEntry, PhoneKind, Role } from '@ringdown/directory';
import { hash } from 'node:crypto';

/** A person in the list of an administrator. */
export interface PersonSummary {
  readonly username: string;
  readonly name: string;
  readonly mail: string | null;
  readonly title: string | null;
  readonly department: string | null;
  readonly roles: readonly Role[];
  readonly blocked: boolean;
}

/** Everything that an administrator sees of a person. */
export interface PersonAccount extends PersonSummary {
  readonly sipAddress: string;
  readonly company: string | null;
  readonly office: string | null;
  readonly phones: Readonly<Partial<Record<PhoneKind, string>>>;
  readonly contacts: readonly string[];
  /** Null where passwords are not known here. */
  readonly hasPassword: boolean | null;
}

export function personSummary(person: Person, blocked: boolean): PersonSummary {
  const { username, name, mail = null, title = null, department = null, roles } = person;
  return { username, name, mail, title, department, roles, blocked };
}

export function personAccount(person: Person, blocked: boolean, hasPassword: boolean | null): PersonAccount {
  const { sipAddress, company = null, office = null, phones, contacts } = person;
  return { ...personSummary(person, blocked), sipAddress, company, office, phones, contacts, hasPassword };
}

export function accountOf(entry: PersonEntry): PersonAccount {
  return personAccount(entry, entry.blocked === true, entry.passwordHash !== undefined);
}

const ETAG_BYTES = 6;

/** Changes with all that an administrator changes, also with the password; not with the end of sessions. */
export function accountEtag(account: PersonAccount, passwordHash = ''): string {
  const digest = hash('sha256', JSON.stringify([account, passwordHash]), 'buffer');
  return String(digest.readUIntBE(0, ETAG_BYTES));
}
