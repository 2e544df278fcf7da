import { OrFilter, type Entry } from 'ldapts';
import type { Person } from '../people/person.js';
import { photoIn, type Photo } from '../photos/photo.js';
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

interface CachedPhoto {
  readonly photo: Promise<Photo | undefined>;
  /** By the clock of `performance.now`. */
  readonly since: number;
}

/** How long a photo is cached, milliseconds, and how many are. */
const CACHE_MS = 5 * 60 * 1000;
const MAX_CACHED = 200;

/** Photos of people, each read from the directory on request: reading them with the people would fill the memory. */
export class LdapPhotos {
  private readonly cache = new Map<string, CachedPhoto>();

  constructor(private readonly options: LdapPhotosOptions) {}

  /** Throws `DirectoryUnavailable`. */
  of(person: Person): Promise<Photo | undefined> {
    const { username } = person;
    const cached = this.cache.get(username);
    if (cached !== undefined && performance.now() - cached.since < CACHE_MS) return cached.photo;
    const fresh = { photo: this.read(person), since: performance.now() };
    this.cache.delete(username);
    this.cache.set(username, fresh);
    // A failed request is not cached.
    fresh.photo.catch(() => {
      if (this.cache.get(username) === fresh) this.cache.delete(username);
    });
    const [oldest] = this.cache.keys();
    if (this.cache.size > MAX_CACHED && oldest !== undefined) this.cache.delete(oldest);
    return fresh.photo;
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
    return entry === undefined ? undefined : entryPhoto(entry, photo);
  }
}

function entryPhoto(entry: Entry, attributes: readonly string[]): Photo | undefined {
  const values = new Map(Object.entries(entry).map(([name, value]) => [name.toLowerCase(), value]));
  for (const attribute of attributes) {
    for (const value of [values.get(attribute.toLowerCase()) ?? []].flat()) {
      const photo = Buffer.isBuffer(value) ? photoIn(value) : undefined;
      if (photo !== undefined) return photo;
    }
  }
  return undefined;
}
