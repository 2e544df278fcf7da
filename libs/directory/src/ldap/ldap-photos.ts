import { OrFilter, type Entry } from 'ldapts';
import type { Person } from '../person.js';
import { photoIn, type Photo } from '../photo.js';
import type { LdapNames } from './ldap-names.js';
import type { EntryReader } from './ldap-person.js';
import { SAME_NAME, type LdapReader } from './ldap-reader.js';
import type { ServiceConnection } from './service-connection.js';

export interface LdapPhotosOptions {
  readonly service: ServiceConnection;
  readonly reader: LdapReader;
  readonly entries: EntryReader;
  readonly names: LdapNames;
}

interface Kept {
  readonly photo: Promise<Photo | undefined>;
  /** By the clock of `performance.now`. */
  readonly since: number;
}

/** How long a photo is cached, milliseconds, and how many are. */
const KEPT_MS = 5 * 60 * 1000;
const KEPT = 200;

/** Photos of people, each read from the directory on request: reading them with the people would fill the memory. */
export class LdapPhotos {
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly options: LdapPhotosOptions) {}

  /** Throws `DirectoryUnavailable`. */
  of(person: Person): Promise<Photo | undefined> {
    const { username } = person;
    const known = this.kept.get(username);
    if (known !== undefined && performance.now() - known.since < KEPT_MS) return known.photo;
    const kept = { photo: this.read(person), since: performance.now() };
    this.kept.delete(username);
    this.kept.set(username, kept);
    // A failed request is not cached.
    kept.photo.catch(() => {
      if (this.kept.get(username) === kept) this.kept.delete(username);
    });
    const [oldest] = this.kept.keys();
    if (this.kept.size > KEPT && oldest !== undefined) this.kept.delete(oldest);
    return kept.photo;
  }

  private async read({ username }: Person): Promise<Photo | undefined> {
    const { service, reader, entries, names } = this.options;
    const search = reader.search(new OrFilter({ filters: reader.named(username) }));
    const { photo } = names.attributes;
    const wanted = {
      ...search,
      attributes: [...search.attributes, ...photo],
      binaryAttributes: [...(search.binaryAttributes ?? []), ...photo],
    };
    const found = await service.use((connection) => connection.find(wanted, SAME_NAME));
    const entry = found.find((each) => entries.read(each)?.person.username === username);
    return entry === undefined ? undefined : photoOf(entry, photo);
  }
}

function photoOf(entry: Entry, attributes: readonly string[]): Photo | undefined {
  const values = new Map(Object.entries(entry).map(([name, value]) => [name.toLowerCase(), value]));
  for (const attribute of attributes) {
    for (const value of [values.get(attribute.toLowerCase()) ?? []].flat()) {
      const photo = Buffer.isBuffer(value) ? photoIn(value) : undefined;
      if (photo !== undefined) return photo;
    }
  }
  return undefined;
}
