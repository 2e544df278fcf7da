import type { PersonEntry } from '@ringdown/directory';
import type { ImportedPerson, RejectedLine } from './people-formats.js';

export interface CheckedImport {
  readonly accepted: readonly ImportedPerson[];
  readonly rejected: readonly RejectedLine[];
}

const MIN_PASSWORD_LENGTH = 10;

/** Which people of a file can be stored beside the existing ones; of duplicates in the file, the first. */
export function checkedImport(
  imported: readonly ImportedPerson[],
  existing: readonly PersonEntry[],
  { update }: { update: boolean },
): CheckedImport {
  const before = new Set(existing.map(({ username }) => username));
  const owners = new Map(existing.map(({ sipAddress, username }) => [sipAddress, username]));
  const inFile = new Map<string, number>();
  for (const { entry, line } of imported) if (!inFile.has(entry.username)) inFile.set(entry.username, line);
  const reasonAgainst = ({ line, entry, password }: ImportedPerson): string | undefined => {
    const { username, sipAddress, contacts } = entry;
    const first = inFile.get(username);
    if (first !== line) return `${username} is on line ${first} as well`;
    if (before.has(username) && !update) return `${username} already exists; --update changes existing people`;
    const owner = owners.get(sipAddress);
    if (owner !== undefined && owner !== username) return `${sipAddress} is the SIP address of ${owner}`;
    const unknown = contacts.find((contact) => !before.has(contact) && !inFile.has(contact));
    if (unknown !== undefined) return `unknown contact ${unknown}`;
    if (password !== undefined && password.length < MIN_PASSWORD_LENGTH) {
      return `the password must have at least ${MIN_PASSWORD_LENGTH} characters`;
    }
    owners.set(sipAddress, username);
    return undefined;
  };
  const accepted: ImportedPerson[] = [];
  const rejected: RejectedLine[] = [];
  for (const person of imported) {
    const reason = reasonAgainst(person);
    if (reason === undefined) accepted.push(person);
    else rejected.push({ line: person.line, reason });
  }
  return { accepted, rejected };
}
