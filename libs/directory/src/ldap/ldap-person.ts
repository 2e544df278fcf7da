import { normalize } from '@ringdown/linear-text';
import { canonicalName, isAddress } from '../people/address.js';
import { PHONE_KINDS, WORK_FIELDS, type Person, type PhoneKind } from '../people/person.js';
import { parsePhone } from '../people/phone.js';
import type { Entry } from 'ldapts';
import { parseLdapTime } from './ldap-time.js';
import { FIELDS, type PersonField, type LdapNames } from './ldap-names.js';

/** A person and the id of the entry, which survives renaming. */
export interface LdapPerson {
  readonly id: string;
  readonly dn: string;
  readonly person: Person;
  /** When the entry was last changed, in the server's format; undefined if the server does not report it. */
  readonly changed: string | undefined;
}

export interface EntryReaderOptions {
  readonly names: LdapNames;
  /** Completes usernames without a domain. */
  readonly sipDomain: string;
}

type WorkField = (typeof WORK_FIELDS)[number];

const TEXT_MAX = 256;
const PHONE_FIELDS = {
  work: 'workPhone',
  home: 'homePhone',
  mobile: 'mobilePhone',
  other: 'otherPhone',
} as const satisfies Record<PhoneKind, PersonField>;

/**
 * Creates people from entries. Entries are often written by hand: unusable values are left out without affecting the
 * rest.
 */
export class EntryReader {
  /** The attributes to request. */
  readonly attributes: readonly string[];
  private readonly fields: Readonly<Record<PersonField, readonly string[]>>;

  constructor(private readonly options: EntryReaderOptions) {
    const { names } = options;
    this.attributes = [...new Set([...FIELDS.flatMap((field) => names.attributes[field]), names.id, names.changed])];
    const lower = FIELDS.map((field) => [field, names.attributes[field].map((name) => name.toLowerCase())]);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one entry for each field
    this.fields = Object.fromEntries(lower) as Record<PersonField, readonly string[]>;
  }

  /** Undefined for an entry without a usable username. */
  read(entry: Entry): LdapPerson | undefined {
    const { names, sipDomain } = this.options;
    const values = new Map(Object.entries(entry).map(([name, value]) => [name.toLowerCase(), value]));
    const username = completed(this.text(values, 'username'), sipDomain);
    if (username === undefined) return undefined;
    return {
      id: entryId(values.get(names.id.toLowerCase())) ?? entry.dn,
      dn: entry.dn,
      person: this.person(username, values),
      changed: texts(values.get(names.changed.toLowerCase()))[0],
    };
  }

  private person(username: string, values: Values): Person {
    const sipAddress = this.text(values, 'sipAddress');
    const given = sipAddress === undefined ? undefined : canonicalName(sipAddress).replace(/^sip:/, '');
    const mail = this.text(values, 'mail');
    const passwordSetAt = parseLdapTime(this.text(values, 'passwordChanged'));
    return {
      username,
      name: this.text(values, 'name') ?? username,
      sipAddress: `sip:${given !== undefined && isAddress(given) ? given : username}`,
      ...(mail !== undefined && isAddress(mail) ? { mail } : {}),
      ...this.work(values),
      phones: this.phones(values),
      roles: ['user'],
      contacts: [],
      ...(passwordSetAt === undefined ? {} : { passwordSetAt }),
    };
  }

  private work(values: Values): Pick<Person, WorkField> {
    const found: Partial<Record<WorkField, string>> = {};
    for (const field of WORK_FIELDS) {
      const text = this.text(values, field);
      if (text !== undefined) found[field] = text;
    }
    return found;
  }

  private phones(values: Values): Person['phones'] {
    const phones: Partial<Record<PhoneKind, string>> = {};
    for (const kind of PHONE_KINDS) {
      const written = this.text(values, PHONE_FIELDS[kind]);
      const number = written === undefined ? undefined : parsePhone(written);
      if (number !== undefined) phones[kind] = number;
    }
    return phones;
  }

  /** The first value of the first attribute that has one, on one line. */
  private text(values: Values, field: PersonField): string | undefined {
    for (const name of this.fields[field]) {
      for (const value of texts(values.get(name))) {
        const text = onOneLine(value);
        if (text !== '') return text;
      }
    }
    return undefined;
  }
}

type Values = ReadonlyMap<string, Entry[string]>;

function texts(value: Entry[string] | undefined): string[] {
  return [value ?? []].flat().filter((one) => typeof one === 'string');
}

/** Most values are short and plain: only the others need the slower path. */
function onOneLine(value: string): string {
  if (value.length <= TEXT_MAX && /^[!-~]+(?: [!-~]+)*$/.test(value)) return value;
  const line = normalize(value.toWellFormed(), 'NFC')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line.length <= TEXT_MAX ? line : line.slice(0, TEXT_MAX).toWellFormed();
}

/** `user@domain` in its canonical form; undefined for a text that cannot be a sign-in name. */
function completed(text: string | undefined, sipDomain: string): string | undefined {
  if (text === undefined) return undefined;
  const address = canonicalName(text.includes('@') ? text : `${text}@${sipDomain}`);
  return isAddress(address) ? address : undefined;
}

function entryId(value: Entry[string] | undefined): string | undefined {
  const [first] = [value ?? []].flat();
  return Buffer.isBuffer(first) ? first.toString('base64') : first;
}
