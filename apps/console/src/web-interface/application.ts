import { RequestRefused } from './errors.js';
import type { ChannelSource, Reopening } from './event-channel.js';
import { readMe, type Me } from './people-resources.js';
import type { JsonReader } from './json-reader.js';
import type { Requests } from './requests.js';
import type { Session } from './session.js';

/** The application resource of this client (web-interface.md, section 4). */
export interface Application {
  readonly href: string;
  /** Address of the next package of events. */
  readonly events: string;
  readonly me: Me;
  readonly people: {
    readonly search: string;
    readonly contacts: string;
    readonly groups: string;
    readonly memberships: string;
    readonly subscriptions: string;
  };
  readonly communication: { readonly startMessaging: string; readonly conversations: string };
}

export interface ApplicationOptions {
  readonly session: Session;
  /** Locale tag. */
  readonly culture: string;
  readonly userAgent: string;
}

/** After this time without activity, others see the user as inactive. */
const INACTIVE_AFTER = '00:05:00';

/** The application of this browser: created, or resumed by its endpointId, with an event channel for this tab. */
export class OwnApplication implements ChannelSource {
  private current: Application | undefined;

  constructor(private readonly options: ApplicationOptions) {}

  /** The resource as last read. Throws before it was opened. */
  get resource(): Application {
    if (this.current === undefined) throw new Error('the application was not opened');
    return this.current;
  }

  get requests(): Requests {
    return this.options.session.requests;
  }

  /** Creates or resumes the application, and makes its user available in it. */
  async open(): Promise<Application> {
    const { session, culture, userAgent } = this.options;
    const { endpointId, instanceId } = session;
    const made = readApplication(await this.create({ culture, userAgent, endpointId, instanceId, type: 'Browser' })); // not shown: sent to the server
    this.current = made.me.links.makeMeAvailable === undefined ? made : await this.madeAvailable(made);
    return this.current;
  }

  poll(href: string, signal: AbortSignal): Promise<JsonReader> {
    return this.requests.get(href, { signal });
  }

  async check(signal: AbortSignal): Promise<void> {
    this.current = readApplication(await this.requests.get(this.resource.href, { signal }));
  }

  async reopen(why: Reopening): Promise<string> {
    if (why === 'replaced') this.options.session.renameTab();
    return (await this.open()).events;
  }

  /** Ends it for this tab. */
  async close(): Promise<void> {
    const { href } = this.resource;
    this.current = undefined;
    await this.requests.delete(href);
  }

  private async create(body: object): Promise<JsonReader> {
    const { session } = this.options;
    try {
      return await this.requests.post(await session.applicationsUrl(), { body });
    } catch (error) {
      if (!(error instanceof RequestRefused && error.status === 404)) throw error;
      // Their address has changed since this session began.
      return this.requests.post(await session.discoverApplications(), { body });
    }
  }

  /** Its links change by this. Another tab may have done it already. */
  private async madeAvailable({ href, me }: Application): Promise<Application> {
    const body = {
      supportedModalities: ['Messaging'], // not shown: sent to the server
      supportedMessageFormats: ['Plain'], // not shown: sent to the server
      inactiveTimeout: INACTIVE_AFTER,
    };
    try {
      await this.requests.notify(me.links.makeMeAvailable ?? href, { body });
    } catch (error) {
      if (!(error instanceof RequestRefused && error.subcode === 'AlreadyExists')) throw error;
    }
    return readApplication(await this.requests.get(href));
  }
}

export function readApplication(application: JsonReader): Application {
  const people = application.embedded('people');
  const communication = application.embedded('communication');
  return {
    href: application.link('self'),
    events: application.link('events'),
    me: readMe(application.embedded('me')),
    people: {
      search: people.link('search'),
      contacts: people.link('myContacts'),
      groups: people.link('myGroups'),
      memberships: people.link('myGroupMemberships'),
      subscriptions: people.link('presenceSubscriptions'),
    },
    communication: {
      startMessaging: communication.link('startMessaging'),
      conversations: communication.link('conversations'),
    },
  };
}
