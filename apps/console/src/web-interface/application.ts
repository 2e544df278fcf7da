import { Refusal } from './errors.js';
import type { ChannelSource, Reopening } from './event-channel.js';
import { readMe, type Me } from './people-resources.js';
import type { Reading } from './reading.js';
import type { Requests } from './requests.js';
import type { Session } from './session.js';

/** The application resource: what this client can do for its user (spec, "Application resource"). */
export interface Application {
  readonly href: string;
  /** The first package of events that has not arrived. */
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

/** Without word of the user for so long, others see him as inactive. */
const INACTIVE_AFTER = '00:05:00';

/** The application of this browser: created, or found again by its endpointId, with a place of its own for this tab. */
export class OwnApplication implements ChannelSource {
  private current: Application | undefined;

  constructor(private readonly options: ApplicationOptions) {}

  /** As it was read last. Throws before it was opened. */
  get resource(): Application {
    if (this.current === undefined) throw new Error('the application was not opened');
    return this.current;
  }

  get requests(): Requests {
    return this.options.session.requests;
  }

  /** Creates or resumes it, and makes its user available in it. */
  async open(): Promise<Application> {
    const { session, culture, userAgent } = this.options;
    const { endpointId, instanceId } = session;
    const made = readApplication(await this.create({ culture, userAgent, endpointId, instanceId, type: 'Browser' }));
    this.current = made.me.links.makeMeAvailable === undefined ? made : await this.madeAvailable(made);
    return this.current;
  }

  poll(href: string, signal: AbortSignal): Promise<Reading> {
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

  private async create(body: object): Promise<Reading> {
    const { session } = this.options;
    try {
      return await this.requests.post(await session.applicationsUrl(), { body });
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 404)) throw error;
      // The server has them elsewhere than when this session began.
      return this.requests.post(await session.discoverApplications(), { body });
    }
  }

  /** Its links are others afterwards. Another tab may have been faster. */
  private async madeAvailable({ href, me }: Application): Promise<Application> {
    const body = {
      supportedModalities: ['Messaging'],
      supportedMessageFormats: ['Plain'],
      inactiveTimeout: INACTIVE_AFTER,
    };
    try {
      await this.requests.tell(me.links.makeMeAvailable ?? href, { body });
    } catch (error) {
      if (!(error instanceof Refusal && error.subcode === 'AlreadyExists')) throw error;
    }
    return readApplication(await this.requests.get(href));
  }
}

export function readApplication(application: Reading): Application {
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
