import type { PersonSummary, PersonAccount } from '@ringdown/answers/people';
import type { Person, PersonEntry } from '@ringdown/directory';
import { hash } from 'node:crypto';

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
