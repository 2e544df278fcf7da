import { KeyedMutex, RefreshAheadCache } from '@ringdown/concurrency';
import { BusFull, outOfStep, type Bus } from '@ringdown/nats';
import { Bucket, type Entry } from '@ringdown/nats/buckets';
import { hash, randomInt } from 'node:crypto';
import {
  isTombstone,
  type Application,
  type ApplicationEndReason,
  type ApplicationType,
  type Tombstone,
} from './application.js';
import { EarlierApplications } from './earlier-applications.js';
import {
  findIn,
  limited,
  MAX_AGE_MS,
  NO_APPLICATIONS,
  parseOwnApplications,
  runningIn,
  withApplication,
  withoutApplication,
  type OwnApplications,
} from './own-applications.js';
import { restored, storedForm } from './stored-application.js';

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

/** How often a used application is written again so that it does not expire, milliseconds. */
const TOUCH_MS = 60 * 60 * 1000;
/**
 * How long a read entry is used where a moment does not matter, milliseconds. A watch instead would cost the bus and each
 * replica a message for every application that starts.
 */
const CACHED_MS = 900;
/** The smallest number of twelve digits; an id is two of them. */
const SMALLEST_HALF = 100_000_000_000;
/** Also of versions before, which made half as many digits. */
const ID = /^(?:\d{12}|\d{24})$/;
/** Tabs of one client; with more, the oldest loses its event channel. */
const MAX_INSTANCES = 20;
/** Other writers may be faster several times, but not forever. */
const MAX_TRIES = 50;

export interface ApplicationsOptions {
  readonly bus: Bus;
  /** How many applications a user may have at once. */
  readonly perUser: number;
  /** The current time in milliseconds since 1970. */
  readonly now?: () => number;
}

/** What a change stores, and what it returns. */
interface Change<R> {
  readonly own: OwnApplications;
  readonly result: R;
}

/**
 * The applications (sessions) of all users, in the store of the bus, so that every replica has them, also after a
 * restart: one entry for each user, so that a new application is one write (ADR 0070), which also decides when the same
 * client creates its application twice at the same time.
 */
export class Applications {
  private readonly now: () => number;
  private readonly changing = new KeyedMutex();
  private readonly cache: RefreshAheadCache<Entry<OwnApplications>>;

  private constructor(
    private readonly options: ApplicationsOptions,
    private readonly bucket: Bucket<OwnApplications>,
    private readonly earlier: EarlierApplications,
  ) {
    this.now = options.now ?? Date.now;
    this.cache = new RefreshAheadCache({ load: (key) => bucket.get(key), maxAgeMs: CACHED_MS });
  }

  static async open(options: ApplicationsOptions): Promise<Applications> {
    const { bus } = options;
    const parse = parseOwnApplications;
    const bucket = await Bucket.open({ bus, name: 'APPLICATIONS', maxAgeMs: MAX_AGE_MS, parse });
    return new Applications(options, bucket, await EarlierApplications.open(bus, MAX_AGE_MS));
  }

  /**
   * The user's application for this endpoint, a new or the existing one: the same endpoint always gets the same
   * application, updated with what the client now reports about itself (web-interface.md, section 3).
   */
  createOrUpdate(wanted: NewApplication, instance: string | null): Promise<CreatedApplication> {
    return this.change(wanted.username, (own) => {
      const [now, { username, endpointId }] = [this.now(), wanted];
      const existing = runningIn(own, now).find((each) => each.endpointId === endpointId);
      const created =
        existing === undefined
          ? started(wanted, instance, now)
          : renewed(restored(username, existing), wanted, instance, now);
      const all = withApplication(own, storedForm(created.application));
      const { own: kept, displaced } = limited(all, { perUser: this.options.perUser, now });
      return { own: kept, result: { ...created, displaced: displaced.map((each) => restored(username, each)) } };
    });
  }

  /**
   * The application with this id, or its tombstone, if it belongs to this user; the owner is not disclosed to other
   * users.
   */
  async find(id: string, username: string): Promise<Application | Tombstone | undefined> {
    return this.used(username, await this.read(id, username));
  }

  /**
   * As {@link find}, but repeated requests for an application do not read from the bus each time. That another replica
   * has ended it is noticed within a second.
   */
  async findCached(id: string, username: string): Promise<Application | Tombstone | undefined> {
    if (!ID.test(id)) return undefined;
    const cached = await this.cache.get(ownKeyOf(username));
    // Another replica may just have created it.
    return this.used(username, this.foundIn(cached?.value, id, username) ?? (await this.read(id, username)));
  }

  /** The running application with this id, if it belongs to this user. This read does not count as use. */
  async running(id: string, username: string): Promise<Application | undefined> {
    const found = await this.read(id, username);
    return found === undefined || isTombstone(found) ? undefined : found;
  }

  /** The running applications of a user. */
  async ofUser(username: string): Promise<readonly Application[]> {
    const own = (await this.bucket.get(ownKeyOf(username)))?.value ?? (await this.earlier.of(username));
    return runningIn(own ?? NO_APPLICATIONS, this.now()).map((each) => restored(username, each));
  }

  /** Those that were created before this time, or whose time is not known, of a name that is not used any more since. */
  async createdBefore(username: string, time: number): Promise<readonly Application[]> {
    const own = (await this.bucket.getNewest(ownKeyOf(username)))?.value ?? (await this.earlier.of(username));
    const former = (own?.applications ?? []).filter(({ createdAt = 0 }) => createdAt < time);
    return former.map((each) => restored(username, each));
  }

  /** Ends an application; a reason of the server is kept for a while, a client that ended it itself needs none. */
  async end({ id, username }: Pick<Application, 'id' | 'username'>, reason?: ApplicationEndReason): Promise<void> {
    await this.change(username, (own) => {
      if (!own.applications.some((each) => each.id === id)) return undefined;
      const tombstone = reason === undefined ? undefined : { id, ended: reason, at: this.now() };
      return { own: withoutApplication(own, id, tombstone), result: true };
    });
  }

  /**
   * Removes one instance from an application. The last one cannot be removed; undefined when it is the last or does not
   * exist.
   */
  withoutInstance(id: string, username: string, instance: string | null): Promise<Application | undefined> {
    return this.change(username, (own) => {
      const stored = own.applications.find((each) => each.id === id);
      if (stored === undefined) return undefined;
      const application = restored(username, stored);
      const instances = application.instances.filter((each) => each !== instance);
      if (instances.length === 0) return undefined;
      const fewer = { ...application, instances };
      return { own: withApplication(own, storedForm(fewer)), result: fewer };
    });
  }

  private async used(
    username: string,
    found: Application | Tombstone | undefined,
  ): Promise<Application | Tombstone | undefined> {
    if (found === undefined || isTombstone(found)) return found;
    const usedAt = this.now();
    if (usedAt - found.usedAt < TOUCH_MS) return found;
    try {
      return await this.change(username, (own) => {
        const application = own.applications.find(({ id }) => id === found.id);
        if (application === undefined) return undefined;
        const touched = { ...application, usedAt };
        return { own: withApplication(own, touched), result: restored(username, touched) };
      });
    } catch (error) {
      // It does not expire for days: the next request tries again.
      if (error instanceof BusFull) return found;
      throw error;
    }
  }

  private async read(id: string, username: string): Promise<Application | Tombstone | undefined> {
    if (!ID.test(id)) return undefined;
    const key = ownKeyOf(username);
    const entry = await this.bucket.get(key);
    const found = this.foundIn(entry?.value, id, username);
    if (found !== undefined) return found;
    // A server of a cluster may not have the change yet that another one has stored.
    const newest = this.options.bus.isClustered ? await this.bucket.getNewest(key) : entry;
    return this.foundIn(newest?.value ?? (await this.earlier.of(username)), id, username);
  }

  private foundIn(own: OwnApplications | undefined, id: string, username: string): Application | Tombstone | undefined {
    const found = own && findIn(own, id, this.now());
    return found === undefined || isTombstone(found) ? found : restored(username, found);
  }

  /**
   * Writes what `step` makes of the applications of a user; undefined of it changes nothing. What this process knows,
   * however old, is tried first: it is stored only if it is the newest.
   */
  private change<R>(username: string, step: (own: OwnApplications) => Change<R>): Promise<R>;
  private change<R>(username: string, step: (own: OwnApplications) => Change<R> | undefined): Promise<R | undefined>;
  private change<R>(username: string, step: (own: OwnApplications) => Change<R> | undefined): Promise<R | undefined> {
    // One after the other: of several changes of one entry at the same time, all but one would be rejected.
    return this.changing.runExclusive(username, () => this.changeNow(username, step));
  }

  private async changeNow<R>(
    username: string,
    step: (own: OwnApplications) => Change<R> | undefined,
  ): Promise<R | undefined> {
    const key = ownKeyOf(username);
    let [entry, isNewest] = [await this.cache.latest(key), false];
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const own = entry?.value ?? (await this.earlier.of(username));
      const change = step(own ?? NO_APPLICATIONS);
      if (change === undefined && isNewest) return undefined;
      if (change !== undefined && (await this.write(key, change.own, entry))) return change.result;
      await outOfStep(tries);
      [entry, isNewest] = [await this.bucket.getNewest(key), true];
    }
    throw new Error('could not write the applications of a user: other replicas keep changing them');
  }

  private async write(
    key: string,
    value: OwnApplications,
    before: Entry<OwnApplications> | undefined,
  ): Promise<boolean> {
    const revision = await this.bucket.write(key, value, before?.revision);
    if (revision === undefined) this.cache.forget(key);
    else this.cache.set(key, { value, revision, storedAt: this.now() });
    return revision !== undefined;
  }
}

function renewed(
  existing: Application,
  wanted: NewApplication,
  instance: string | null,
  usedAt: number,
): Omit<CreatedApplication, 'displaced'> {
  const isNew = !existing.instances.includes(instance);
  const all = isNew ? [...existing.instances, instance] : existing.instances;
  const application = { ...existing, ...wanted, instances: all.slice(-MAX_INSTANCES), usedAt };
  return { application, isNew, isFirst: false, displacedInstances: all.slice(0, -MAX_INSTANCES) };
}

function started(wanted: NewApplication, instance: string | null, now: number): Omit<CreatedApplication, 'displaced'> {
  const id = newId();
  const application = { ...wanted, id, instances: [instance], usedAt: now, createdAt: now };
  return { application, isNew: true, isFirst: true, displacedInstances: [] };
}

/** Unique among the applications of all users: event channels and conversations know them only by their ids. */
function newId(): string {
  return [0, 0].map(() => randomInt(SMALLEST_HALF, SMALLEST_HALF * 10)).join('');
}

/** Hashed, because names may contain characters that a key may not. */
function ownKeyOf(username: string): string {
  return `own.${hash('sha256', username)}`;
}
