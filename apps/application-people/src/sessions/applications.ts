import { Bucket, BucketCache, type Bus, type Entry } from '@ringdown/nats';
import type { Logger } from '@ringdown/observability';
import { createHash, randomInt } from 'node:crypto';
import {
  isTombstone,
  parseOwnApplications,
  parseStored,
  type Application,
  type ApplicationType,
  type ApplicationEndReason,
  type OwnApplications,
  type Tombstone,
} from './application.js';

export interface NewApplication {
  readonly username: string;
  readonly endpointId: string;
  readonly culture: string;
  readonly userAgent: string;
  readonly type: ApplicationType;
}

export interface CreatedApplication {
  readonly application: Application;
  /** False when this instance of this endpoint existed already. */
  readonly isNew: boolean;
  /** False when another instance of this endpoint existed already. */
  readonly isFirst: boolean;
  /** Applications that were ended because the user has too many. */
  readonly displaced: readonly Application[];
  /** Instances of this application that were ended because it has too many. */
  readonly displacedInstances: Application['instances'];
}

/** Entries that are not written for this long expire, milliseconds. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;
/** How often a used application is written again so that it does not expire, milliseconds. */
const TOUCH_MS = 60 * 60 * 1000;
const FIRST_ID = 100_000_000_000;
const ID = /^\d{12}$/;
/** Tabs of one client; with more, the oldest loses its event channel. */
const MAX_INSTANCES = 20;

export interface ApplicationsOptions {
  readonly bus: Bus;
  readonly logger: Logger;
  /** How many applications a user may have at once. */
  readonly perUser: number;
  /** The current time in milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * The applications (sessions) of all users, in the store of the bus, so that every replica has them, also after a
 * restart. `app.<id>` contains an application or, for a while, its tombstone; `user.<hash>` lists the applications of a
 * user and decides when the same client creates its application twice at the same time.
 */
export class Applications {
  private constructor(
    private readonly stored: Bucket<Application | Tombstone>,
    private readonly owned: Bucket<OwnApplications>,
    private readonly cache: BucketCache<Application | Tombstone>,
    private readonly perUser: number,
    private readonly now: () => number,
  ) {}

  static async open({ bus, logger, perUser, now = Date.now }: ApplicationsOptions): Promise<Applications> {
    const bucket = { bus, name: 'APPLICATIONS', maxAgeMs: MAX_AGE_MS } as const;
    const stored = await Bucket.open({ ...bucket, parse: parseStored });
    const owned = await Bucket.open({ ...bucket, parse: parseOwnApplications });
    const cache = new BucketCache({ bucket: stored, logger, filter: applicationKey('*') });
    return new Applications(stored, owned, cache, perUser, now);
  }

  /**
   * The user's application for this endpoint, a new or the existing one: the same endpoint always gets the same
   * application, updated with what the client now reports about itself (web-interface.md, section 3).
   */
  async createOrUpdate(wanted: NewApplication, instance: string | null): Promise<CreatedApplication> {
    const ownKey = ownKeyOf(wanted.username);
    for (;;) {
      const own = await this.owned.getNewest(ownKey);
      const known = own?.value.applications ?? [];
      const same = known.find(({ endpointId }) => endpointId === wanted.endpointId);
      const existing = same === undefined ? undefined : await this.renew(same.id, wanted, instance);
      if (existing === 'overtaken') continue;
      if (existing !== undefined) return existing;
      const application = this.newApplication(wanted, instance);
      const { id, endpointId } = application;
      const others = known.filter((other) => other.endpointId !== endpointId);
      const kept = others.slice(Math.max(0, others.length + 1 - this.perUser));
      const [isCreated, isListed] = await Promise.all([
        this.stored.create(applicationKey(id), application),
        write(this.owned, ownKey, { applications: [...kept, { id, endpointId }] }, own),
      ]);
      if (isCreated && isListed) {
        const displaced = await this.endAll(wanted.username, others.slice(0, others.length - kept.length));
        return { application, isNew: true, isFirst: true, displaced, displacedInstances: [] };
      }
      // Another request of the same user was faster, perhaps for the same endpoint, or the id belongs to another user.
      if (isCreated) await this.stored.delete(applicationKey(id));
    }
  }

  /**
   * The application with this id, or its tombstone, if it belongs to this user; the owner is not disclosed to other
   * users.
   */
  async find(id: string, username: string): Promise<Application | Tombstone | undefined> {
    return this.used(id, username, await this.entryOf(id, username));
  }

  /**
   * As {@link find}, but repeated requests for an application do not read from the bus each time. When another replica
   * has ended it, this replica sees that when the notification arrives.
   */
  async findCached(id: string, username: string): Promise<Application | Tombstone | undefined> {
    const entry = ID.test(id) ? await this.cache.get(applicationKey(id)) : undefined;
    return this.used(id, username, entry?.value.username === username ? entry : undefined);
  }

  /** The running application with this id, if it belongs to this user. This read does not count as use. */
  async running(id: string, username: string): Promise<Application | undefined> {
    const entry = await this.entryOf(id, username);
    return entry === undefined || isTombstone(entry.value) ? undefined : entry.value;
  }

  /** The running applications of a user. */
  async ofUser(username: string): Promise<readonly Application[]> {
    const own = await this.owned.get(ownKeyOf(username));
    const found = await Promise.all((own?.value.applications ?? []).map(({ id }) => this.running(id, username)));
    return found.filter((application) => application !== undefined);
  }

  /** Ends an application; a reason of the server is kept for a while, a client that ended it itself needs none. */
  async end({ id, username }: Pick<Application, 'id' | 'username'>, reason?: ApplicationEndReason): Promise<void> {
    await this.removeFromOwner(username, id);
    if (reason === undefined) await this.stored.delete(applicationKey(id));
    else await this.stored.put(applicationKey(id), { ended: reason, username, at: this.now() });
    this.cache.forget(applicationKey(id));
  }

  close(): void {
    this.cache.close();
  }

  /**
   * Removes one instance from an application. The last one cannot be removed; undefined when it is the last or does not
   * exist.
   */
  async withoutInstance(id: string, username: string, instance: string | null): Promise<Application | undefined> {
    for (;;) {
      const entry = await this.entryOf(id, username, 'getNewest');
      if (entry === undefined || isTombstone(entry.value)) return undefined;
      const instances = entry.value.instances.filter((each) => each !== instance);
      if (instances.length === 0) return undefined;
      const fewer = { ...entry.value, instances };
      if (await this.stored.update(applicationKey(id), fewer, entry.revision)) return fewer;
    }
  }

  private async used(
    id: string,
    username: string,
    entry: Entry<Application | Tombstone> | undefined,
  ): Promise<Application | Tombstone | undefined> {
    if (entry === undefined || isTombstone(entry.value)) return entry?.value;
    const usedAt = this.now();
    if (usedAt - entry.value.usedAt < TOUCH_MS) return entry.value;
    const touched = { ...entry.value, usedAt };
    // If one of these updates fails, another use has written the entry meanwhile, which has the same effect.
    await this.stored.update(applicationKey(id), touched, entry.revision);
    const own = await this.owned.get(ownKeyOf(username));
    if (own !== undefined) await this.owned.update(ownKeyOf(username), own.value, own.revision);
    return touched;
  }

  /** `how`: for a change, the newest is read. */
  private async entryOf(
    id: string,
    username: string,
    how: 'get' | 'getNewest' = 'get',
  ): Promise<Entry<Application | Tombstone> | undefined> {
    if (!ID.test(id)) return undefined;
    const entry = await this.stored[how](applicationKey(id));
    return entry?.value.username === username ? entry : undefined;
  }

  private async renew(
    id: string,
    wanted: NewApplication,
    instance: string | null,
  ): Promise<CreatedApplication | 'overtaken' | undefined> {
    const entry = await this.entryOf(id, wanted.username, 'getNewest');
    if (entry === undefined || isTombstone(entry.value)) return undefined;
    const isNew = !entry.value.instances.includes(instance);
    const all = isNew ? [...entry.value.instances, instance] : entry.value.instances;
    const application = { ...entry.value, ...wanted, instances: all.slice(-MAX_INSTANCES), usedAt: this.now() };
    if (!(await this.stored.update(applicationKey(id), application, entry.revision))) return 'overtaken';
    const displacedInstances = all.slice(0, -MAX_INSTANCES);
    return { application, isNew, isFirst: false, displaced: [], displacedInstances };
  }

  private newApplication(wanted: NewApplication, instance: string | null): Application {
    const now = this.now();
    const id = String(randomInt(FIRST_ID, FIRST_ID * 10));
    return { ...wanted, id, instances: [instance], createdAt: now, usedAt: now };
  }

  private async endAll(username: string, surplus: OwnApplications['applications']): Promise<readonly Application[]> {
    const ended: Application[] = [];
    for (const { id } of surplus) {
      const entry = await this.entryOf(id, username);
      if (entry === undefined || isTombstone(entry.value)) continue;
      const tombstone: Tombstone = { ended: 'TooManyApplications', username, at: this.now() };
      await this.stored.put(applicationKey(id), tombstone);
      this.cache.forget(applicationKey(id));
      ended.push(entry.value);
    }
    return ended;
  }

  private async removeFromOwner(username: string, id: string): Promise<void> {
    const key = ownKeyOf(username);
    for (;;) {
      const own = await this.owned.getNewest(key);
      if (own === undefined || !own.value.applications.some((each) => each.id === id)) return;
      const applications = own.value.applications.filter((each) => each.id !== id);
      if (await this.owned.update(key, { applications }, own.revision)) return;
    }
  }
}

function write<T>(bucket: Bucket<T>, key: string, value: T, known: Entry<T> | undefined): Promise<boolean> {
  return known === undefined ? bucket.create(key, value) : bucket.update(key, value, known.revision);
}

function applicationKey(id: string): string {
  return `app.${id}`;
}

/** Hashed, because names may contain characters that a key may not. */
function ownKeyOf(username: string): string {
  return `user.${createHash('sha256').update(username).digest('hex')}`;
}
