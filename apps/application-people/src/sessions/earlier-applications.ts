import type { Bus } from '@ringdown/nats';
import { Bucket } from '@ringdown/nats/buckets';
import { hash } from 'node:crypto';
import type { OwnApplications } from './own-applications.js';
import { storedFields, list, parseApplication, text, type StoredApplication } from './stored-application.js';

/**
 * The applications of versions before ADR 0070, for the week until they expire: `user.<hash>` lists the ids of a user,
 * `app.<id>` contains an application. They are read until the user has an entry of today's form.
 */
export class EarlierApplications {
  private constructor(
    private readonly lists: Bucket<readonly string[]>,
    private readonly stored: Bucket<StoredApplication | undefined>,
    private readonly exist: boolean,
  ) {}

  static async open(bus: Bus, maxAgeMs: number): Promise<EarlierApplications> {
    const bucket = { bus, name: 'APPLICATIONS', maxAgeMs } as const;
    const lists = await Bucket.open({ ...bucket, parse: parseList });
    const stored = await Bucket.open({ ...bucket, parse: parseStored });
    return new EarlierApplications(lists, stored, await lists.hasKeys('user.*'));
  }

  /** The applications of a user; undefined for a user without any of that form. */
  async of(username: string): Promise<OwnApplications | undefined> {
    if (!this.exist) return undefined;
    const ids = await this.lists.getNewest(`user.${hash('sha256', username)}`);
    if (ids === undefined) return undefined;
    const entries = await Promise.all(ids.value.map((id) => this.stored.getNewest(`app.${id}`)));
    const applications = entries.map((entry) => entry?.value).filter((application) => application !== undefined);
    return { applications, ended: [] };
  }
}

function parseList(value: unknown): readonly string[] {
  return list(storedFields(value)['applications']).map((item) => text(storedFields(item)['id']));
}

/** Undefined for the tombstone of an ended application. */
function parseStored(value: unknown): StoredApplication | undefined {
  return 'ended' in storedFields(value) ? undefined : parseApplication(value);
}
