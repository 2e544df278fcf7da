import type { PersonEntry } from '@ringdown/directory';
import { passwordProblem, type PasswordRules } from '@ringdown/directory/passwords';
import {
  foreignName,
  misleadingName,
  takenName,
  uniquePersonNames,
  type PersonNames,
} from '@ringdown/directory/stored';
import type { ImportedPerson, RejectedLine } from './people-formats.js';

export interface CheckedImport {
  readonly accepted: readonly ImportedPerson[];
  readonly rejected: readonly RejectedLine[];
}

/** What people of a file must fit. */
export interface ImportRules {
  /** Changes people who exist, instead of rejecting their lines. */
  readonly update: boolean;
  /** For passwords in plain text. */
  readonly rules: PasswordRules;
  /** People of other domains are rejected. */
  readonly sipDomains: readonly string[];
}

/** Which people of a file can be stored beside the existing ones; of duplicates in the file, the first. */
export function checkedImport(
  imported: readonly ImportedPerson[],
  existing: readonly PersonEntry[],
  { update, rules, sipDomains }: ImportRules,
): CheckedImport {
  const known = new Map(existing.map((person) => [person.username, person]));
  const before = new Set(known.keys());
  const owners = new Map<string, PersonNames>();
  const own = (person: PersonNames): void => {
    for (const name of uniquePersonNames(person)) owners.set(name, person);
  };
  for (const person of existing) own(person);
  const inFile = new Map<string, number>();
  for (const { entry, line } of imported) if (!inFile.has(entry.username)) inFile.set(entry.username, line);
  const reasonAgainst = ({ line, entry, password }: ImportedPerson): string | undefined => {
    const { username, contacts } = entry;
    const first = inFile.get(username);
    if (first !== line) return `${username} is on line ${first} as well`;
    if (before.has(username) && !update) return `${username} already exists; --update changes existing people`;
    const misleading = misleadingName(entry, known.get(username));
    if (misleading !== undefined) return misleading;
    const foreign = foreignName(entry, sipDomains, known.get(username));
    if (foreign !== undefined) return foreign;
    const taken = takenName(entry, (name) => {
      const owner = owners.get(name);
      return owner?.username === username ? undefined : owner;
    });
    if (taken !== undefined) return taken.reason;
    const unknown = contacts.find((contact) => !before.has(contact) && !inFile.has(contact));
    if (unknown !== undefined) return `unknown contact ${unknown}`;
    const problem = password === undefined ? undefined : passwordProblem(password, entry, rules);
    if (problem !== undefined) return `the password ${problem.text}`;
    own(entry);
    return undefined;
  };
  const reasons = new Map<number, string>();
  for (const person of imported) {
    const reason = reasonAgainst(person);
    if (reason !== undefined) reasons.set(person.line, reason);
  }
  rejectContactsOfRejected(imported, before, reasons);
  return {
    accepted: imported.filter(({ line }) => !reasons.has(line)),
    rejected: [...reasons].map(([line, reason]) => ({ line, reason })),
  };
}

/** A person who is not stored is not a contact, which may reject others in turn. */
function rejectContactsOfRejected(
  imported: readonly ImportedPerson[],
  before: ReadonlySet<string>,
  reasons: Map<number, string>,
): void {
  const stored = new Set(before);
  const namedBy = new Map<string, ImportedPerson[]>();
  for (const person of imported) {
    if (!reasons.has(person.line)) stored.add(person.entry.username);
    for (const contact of person.entry.contacts) {
      const others = namedBy.get(contact) ?? [];
      others.push(person);
      namedBy.set(contact, others);
    }
  }
  const missing = imported.map(({ entry }) => entry.username).filter((username) => !stored.has(username));
  for (const contact of missing) {
    for (const { line, entry } of namedBy.get(contact) ?? []) {
      if (reasons.has(line)) continue;
      reasons.set(line, `the contact ${contact} is not stored either`);
      if (!before.has(entry.username)) missing.push(entry.username);
    }
  }
}
