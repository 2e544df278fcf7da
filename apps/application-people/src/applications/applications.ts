import { Bucket, type Bus } from '@ringdown/bus';
import { createHash, randomInt } from 'node:crypto';
import { parseApplication, parsePointer, type Application, type ApplicationType, type Pointer } from './application.js';

export interface NewApplication {
  readonly username: string;
  readonly endpointId: string;
  readonly culture: string;
  readonly userAgent: string;
  readonly type: ApplicationType;
}

/** An application that nobody has used for this long is forgotten, milliseconds. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;
/** How often a used application is written again so that it is not forgotten, milliseconds. */
const TOUCH_MS = 60 * 60 * 1000;
const FIRST_ID = 100_000_000_000;
const ID = /^\d{12}$/;

export interface ApplicationsOptions {
  readonly bus: Bus;
  /** Tells the time in milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * The applications (sessions) of all users, in the bus' store: every replica and every start knows them.
 * `app.<id>` holds the application; `endpoint.<user and endpoint>` points at it, and is what decides when the same
 * client creates its application twice at the same time.
 */
export class Applications {
  private constructor(
    private readonly applications: Bucket<Application>,
    private readonly pointers: Bucket<Pointer>,
    private readonly now: () => number,
  ) {}

  static async open({ bus, now = Date.now }: ApplicationsOptions): Promise<Applications> {
    const bucket = { bus, name: 'APPLICATIONS', maxAgeMs: MAX_AGE_MS };
    const applications = await Bucket.open({ ...bucket, parse: parseApplication });
    const pointers = await Bucket.open({ ...bucket, parse: parsePointer });
    return new Applications(applications, pointers, now);
  }

  /**
   * The user's application for this endpoint, new or the one that is there: the same endpoint again is the same
   * application with what the client now says about itself (web-interface.md, section 3).
   */
  async createOrUpdate(wanted: NewApplication): Promise<Application> {
    const pointerKey = pointerKeyOf(wanted);
    for (;;) {
      const pointer = await this.pointers.get(pointerKey);
      const existing = pointer === undefined ? undefined : await this.renew(pointer.value.id, wanted);
      if (existing !== undefined) return existing;
      const created = await this.create(wanted);
      const won =
        pointer === undefined
          ? await this.pointers.create(pointerKey, { id: created.id })
          : await this.pointers.update(pointerKey, { id: created.id }, pointer.revision);
      if (won) return created;
      // Another request of the same endpoint was faster: its application is the one.
      await this.applications.delete(applicationKey(created.id));
    }
  }

  /** The application with this id if it belongs to this user; whose it is otherwise is nobody's business. */
  async find(id: string, username: string): Promise<Application | undefined> {
    if (!ID.test(id)) return undefined;
    const entry = await this.applications.get(applicationKey(id));
    if (entry === undefined || entry.value.username !== username) return undefined;
    const usedAt = this.now();
    if (usedAt - entry.value.usedAt < TOUCH_MS) return entry.value;
    const touched = { ...entry.value, usedAt };
    // Whoever loses this race has been overtaken by another use, which is as good.
    await this.applications.update(applicationKey(id), touched, entry.revision);
    const pointerKey = pointerKeyOf(touched);
    const pointer = await this.pointers.get(pointerKey);
    if (pointer?.value.id === id) await this.pointers.update(pointerKey, pointer.value, pointer.revision);
    return touched;
  }

  /** False when the user has no such application. */
  async delete(id: string, username: string): Promise<boolean> {
    const application = await this.find(id, username);
    if (application === undefined) return false;
    await this.applications.delete(applicationKey(id));
    return true;
  }

  private async renew(id: string, wanted: NewApplication): Promise<Application | undefined> {
    const entry = await this.applications.get(applicationKey(id));
    if (entry === undefined) return undefined;
    const renewed = { ...entry.value, ...wanted, usedAt: this.now() };
    await this.applications.update(applicationKey(id), renewed, entry.revision);
    return renewed;
  }

  private async create(wanted: NewApplication): Promise<Application> {
    for (;;) {
      const now = this.now();
      const application = { ...wanted, id: String(randomInt(FIRST_ID, FIRST_ID * 10)), createdAt: now, usedAt: now };
      if (await this.applications.create(applicationKey(application.id), application)) return application;
    }
  }
}

function applicationKey(id: string): string {
  return `app.${id}`;
}

/** Hashed, as users and clients choose names that no key may hold. */
function pointerKeyOf({ username, endpointId }: Pick<NewApplication, 'username' | 'endpointId'>): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([username, endpointId]))
    .digest('hex');
  return `endpoint.${digest}`;
}
