import type { PersonEntry, PhoneKind } from '@ringdown/directory';
import { parseAddress, parsePerson } from '@ringdown/directory/people-file';
import { UsageError } from '@ringdown/settings';
import { phonesNamed, type Options } from './command-line.js';

const TEXTS = ['mail', 'title', 'department', 'company', 'office'] as const;

/** The person with what the options change. Throws an error that names what is wrong. */
export function edited(entry: PersonEntry, options: Options): PersonEntry {
  const texts = new Map<string, unknown>(TEXTS.map((key) => [key, options[key] ?? entry[key]]));
  const phones = new Map<PhoneKind, string>(
    Object.entries(entry.phones).flatMap(([kind, number]) => phonesNamed([`${kind}=${number}`])),
  );
  for (const [kind, number] of phonesNamed(options.phone ?? [])) {
    if (number === '') phones.delete(kind);
    else phones.set(kind, number);
  }
  const given = [...texts].filter(([, value]) => value !== '' && value !== undefined);
  const { mail: _mail, title: _title, department: _department, company: _company, office: _office, ...rest } = entry;
  const changed = {
    ...rest,
    name: options.name ?? entry.name,
    ...Object.fromEntries(given),
    phones: Object.fromEntries(phones),
  };
  return parsePerson(changed, entry.username);
}

export function assertChangesSomething(options: Options): void {
  if (['name', 'phone', ...TEXTS].every((key) => !Object.hasOwn(options, key))) {
    throw new UsageError(
      'set expects at least one of --name, --mail, --title, --department, --company, --office, --phone',
    );
  }
}

export function contactsNamed(options: Options): string[] {
  return (options.contact ?? []).map((contact) => parseAddress(contact, 'a contact'));
}
