import type { Directory, Person } from '@ringdown/directory';
import { Fault, InterfaceError } from '@ringdown/http-server';
import { reasons } from '@ringdown/hypermedia';
import type { Principal } from '@ringdown/token-validation';
import type { ApplicationInput } from './application-input.js';
import type { Application } from './application.js';
import type { Applications } from './applications.js';

/** A request's application together with the person who owns it. */
export interface Session {
  readonly application: Application;
  readonly owner: Person;
}

/** The rules of who may use which application, with failures in the words of the interface. */
export class Sessions {
  constructor(private readonly parts: { readonly applications: Applications; readonly directory: Directory }) {}

  async create(principal: Principal, input: ApplicationInput): Promise<Session> {
    const owner = this.personOf(principal);
    const { culture, endpointId, userAgent, type } = input;
    const wanted = { username: owner.username, culture, endpointId, userAgent, type: type ?? 'Browser' };
    return { application: await stored(this.parts.applications.createOrUpdate(wanted)), owner };
  }

  /** Throws {@link InterfaceError} `ApplicationNotFound`, for an application of somebody else as for none. */
  async find(principal: Principal, id: string): Promise<Session> {
    const owner = this.personOf(principal);
    const application = await stored(this.parts.applications.find(id, owner.username));
    if (application === undefined) throw new InterfaceError(reasons.applicationNotFound);
    return { application, owner };
  }

  async delete(principal: Principal, id: string): Promise<void> {
    const deleted = await stored(this.parts.applications.delete(id, principal.username));
    if (!deleted) throw new InterfaceError(reasons.applicationNotFound);
  }

  /** The two services may read a change of the people file at different moments. */
  private personOf(principal: Principal): Person {
    const person = this.parts.directory.people.withUsername(principal.username);
    if (person === undefined) throw new Fault('forbidden', { message: 'You are not in the directory any more.' });
    return person;
  }
}

async function stored<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new Fault('unavailable', { headers: { 'retry-after': '2' }, cause });
  }
}
