import type { PasswordChecks } from './passwords.js';
import type { Account } from '../people/directory.js';
import type { Person } from '../people/person.js';
import type { Secret } from './secret.js';

/** The account of a person whose password hash is stored here; of an unknown person, one that takes as long to reject. */
export function hashedAccount(
  person: Person | undefined,
  checks: PasswordChecks,
  secretOf: (username: string) => Secret | undefined,
): Account {
  return {
    id: person?.username,
    signIn: async (password) => {
      const secret = person === undefined ? undefined : secretOf(person.username);
      const matched = await checks.matches(secret?.hash, password);
      return matched && person !== undefined ? { person, passwordMark: secret?.mark } : undefined;
    },
    reject: async () => {
      await checks.matches(undefined, '');
      return undefined;
    },
  };
}
