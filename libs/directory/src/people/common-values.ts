import { WORK_FIELDS, type Person, type Role } from './person.js';

const NO_CONTACTS: readonly string[] = [];

/** Stores values that many people have in common once: each reading creates new texts and lists for every person. */
export class CommonValues {
  private readonly texts = new Map<string, string>();
  private readonly roles = new Map<string, readonly Role[]>();

  of(person: Person): Person {
    const { roles, contacts } = person;
    const common: Partial<Record<(typeof WORK_FIELDS)[number], string>> = {};
    for (const field of WORK_FIELDS) {
      const text = person[field];
      if (text !== undefined) common[field] = once(this.texts, text, text);
    }
    const lists = {
      roles: once(this.roles, roles.join(' '), roles),
      contacts: contacts.length === 0 ? NO_CONTACTS : contacts,
    };
    return { ...person, ...common, ...lists };
  }
}

function once<T>(known: Map<string, T>, key: string, value: T): T {
  const before = known.get(key);
  if (before === undefined) known.set(key, value);
  return before ?? value;
}
