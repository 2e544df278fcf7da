import { Inject, Injectable } from '@nestjs/common';
import { DIRECTORY, type Directory, type Person } from '@ringdown/directory';
import { Fault, InterfaceError } from '@ringdown/web-server/errors';
import { reasons } from '@ringdown/hypermedia';
import { UNNAMED_GUEST } from '@ringdown/meetings';
import type { Principal } from '@ringdown/token-validation';
import {
  isTombstone,
  type Application,
  type ApplicationType,
  type ApplicationEndReason,
  type Tombstone,
} from './application.js';
import { Applications } from './applications.js';

/** What a client reports about itself when it creates its application. */
export interface ApplicationRequest {
  readonly culture: string;
  readonly endpointId: string;
  readonly userAgent: string;
  readonly type?: ApplicationType | null;
  /** The id of a browser tab, which then has its own event channel. */
  readonly instanceId?: string | null;
}

/** The application of a request together with its owner. */
export interface Session {
  readonly application: Application;
  readonly owner: Person;
  /** A guest of a meeting, who is not in the directory. */
  readonly isGuest: boolean;
  /** URI of the meeting that admitted the guest. */
  readonly guestOf?: string;
}

export interface CreatedSession extends Session {
  /** False when this instance of the client existed already. */
  readonly isNew: boolean;
  /** False when another instance of the client existed already. */
  readonly isFirst: boolean;
}

/** What has ended: a whole application, or some of its instances. */
export interface Ending {
  readonly application: Application;
  readonly instances: readonly (string | null)[];
  readonly whole: boolean;
}

/** Removes what another module has stored for an application. */
export type EndHandler = (ending: Ending) => Promise<void>;

const END_ROWS = {
  TooManyApplications: reasons.tooManyApplications,
  InactiveApplicationExpired: reasons.inactiveApplicationExpired,
} as const;

/** The rules of who may use which application, with errors of the interface. */
@Injectable()
export class Sessions {
  private readonly endHandlers: EndHandler[] = [];

  constructor(
    private readonly applications: Applications,
    @Inject(DIRECTORY) private readonly directory: Directory,
  ) {}

  /** Called with everything that ends, for any reason, when it cannot be used any more. */
  onEnd(handler: EndHandler): void {
    this.endHandlers.push(handler);
  }

  async create(principal: Principal, request: ApplicationRequest): Promise<CreatedSession> {
    const owner = this.personOf(principal);
    const { culture, endpointId, userAgent, type, instanceId } = request;
    const wanted = { username: owner.username, culture, endpointId, userAgent, type: type ?? 'Browser' };
    return stored(async () => {
      const created = await this.applications.createOrUpdate(wanted, instanceId ?? null);
      const { application, isNew, isFirst, displaced, displacedInstances: instances } = created;
      for (const each of displaced) {
        await this.runEndHandlers({ application: each, instances: each.instances, whole: true });
      }
      if (instances.length > 0) await this.runEndHandlers({ application, instances, whole: false });
      return { application, owner, ...admissionOf(principal), isNew, isFirst };
    });
  }

  /**
   * Throws {@link InterfaceError} `ApplicationNotFound` for an application that does not exist or belongs to another
   * user, or the reason for which the server has ended it. An instance that the application does not have is not found
   * either.
   */
  async find(principal: Principal, id: string, instance: string | null = null): Promise<Session> {
    return this.sessionOf(principal, instance, (username) => this.applications.find(id, username));
  }

  /** As {@link find}, for frequent requests that change nothing: see {@link Applications.findCached}. */
  async findCached(principal: Principal, id: string): Promise<Session> {
    return this.sessionOf(principal, null, (username) => this.applications.findCached(id, username));
  }

  /** Ends the application for its owner; with an instance, only that one while there are others. */
  async delete(principal: Principal, id: string, instance: string | null): Promise<void> {
    const { application } = await this.find(principal, id, instance);
    await stored(async () => {
      if (instance === null || !(await this.endInstance(application, instance))) await this.end(application);
    });
  }

  async end(application: Application, reason?: ApplicationEndReason): Promise<void> {
    await this.applications.end(application, reason);
    await this.runEndHandlers({ application, instances: application.instances, whole: true });
  }

  /** Ends an instance that was not used for too long, and the application with its last one. */
  async expire(application: Application, instance: string | null): Promise<void> {
    if (!(await this.endInstance(application, instance))) await this.end(application, 'InactiveApplicationExpired');
  }

  /** False when the application has no other instance, so that the application itself has to end. */
  async endInstance({ id, username }: Application, instance: string | null): Promise<boolean> {
    const application = await this.applications.withoutInstance(id, username, instance);
    if (application === undefined) return false;
    await this.runEndHandlers({ application, instances: [instance], whole: false });
    return true;
  }

  private async sessionOf(
    principal: Principal,
    instance: string | null,
    find: (username: string) => Promise<Application | Tombstone | undefined>,
  ): Promise<Session> {
    const owner = this.personOf(principal);
    const application = await stored(() => find(owner.username));
    if (application === undefined) throw new InterfaceError(reasons.applicationNotFound);
    if (isTombstone(application)) throw new InterfaceError(END_ROWS[application.ended]);
    if (instance !== null && !application.instances.includes(instance)) {
      throw new InterfaceError(reasons.applicationNotFound);
    }
    return { application, owner, ...admissionOf(principal) };
  }

  private async runEndHandlers(ending: Ending): Promise<void> {
    for (const handler of this.endHandlers) await handler(ending);
  }

  /** The two services may read a change of the people file at different moments. */
  private personOf(principal: Principal): Person {
    if (isGuest(principal)) return guest(principal);
    const person = this.directory.people.withUsername(principal.username);
    if (person === undefined) throw new Fault('forbidden', { message: 'The user is not in the directory any more.' });
    return person;
  }
}

function isGuest({ guestOf }: Principal): boolean {
  return guestOf !== undefined;
}

function admissionOf({ guestOf }: Principal): Pick<Session, 'isGuest' | 'guestOf'> {
  return guestOf === undefined ? { isGuest: false } : { isGuest: true, guestOf };
}

/** Guests have only the name that the token service generated for them. */
function guest({ username, sipAddress }: Principal): Person {
  return { username, sipAddress, name: UNNAMED_GUEST, phones: {}, roles: [], contacts: [] };
}

/** Errors of the store are reported as such, and the client may retry; a rejected request stays rejected. */
export async function stored<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof InterfaceError || cause instanceof Fault) throw cause;
    throw new Fault('unavailable', { headers: { 'retry-after': '2' }, cause });
  }
}
