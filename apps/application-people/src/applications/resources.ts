import { Injectable } from '@nestjs/common';
import { LinkBuilder, queryString, type Embedded, type Link, type Resource } from '@ringdown/hypermedia';
import { PackageLinks } from '../events/event-package.js';
import { contentEtag } from '../http/etag.js';
import { clientCommunication, CommunicationResources } from '../communication/communication-resources.js';
import { OnlineMeetingResources } from '../online-meetings/online-meeting-resources.js';
import { PeopleResources } from '../people/people-resources.js';
import { commonProperties, phoneProperties } from '../people/person-properties.js';
import type { AvailableClient } from '../presence-store/presence-record.js';
import { CallForwardingResources } from './call-forwarding-resources.js';
import { PhoneResources } from './phone-resources.js';
import type { Session } from '../sessions/sessions.js';

/** The client that an application resource is shown to. */
export interface ApplicationView {
  readonly instance: string | null;
  /** The next package of events to request; undefined when this instance has no event channel. */
  readonly nextPackage: number | undefined;
  /** What the user can do with their own presence; nothing for guests. */
  readonly ownLinks: readonly Link[];
  /** What the client can do once its user is available in it. */
  readonly client: AvailableClient | undefined;
}

/**
 * The resources of an application (web-interface.md, section 4). A capability that is missing has no link: every link
 * leads to a resource that exists.
 */
@Injectable()
export class ApplicationResources {
  constructor(
    private readonly links: LinkBuilder,
    private readonly people: PeopleResources,
    private readonly meetings: OnlineMeetingResources,
    private readonly communications: CommunicationResources,
    private readonly phones: PhoneResources,
    private readonly callForwarding: CallForwardingResources,
  ) {}

  /**
   * The resource as the given instance of the client sees it. Embedded resources have their own tags and do not change
   * this one.
   */
  application(session: Session, { instance, nextPackage, ownLinks, client }: ApplicationView): Resource {
    const { culture, userAgent, type, endpointId, id } = session.application;
    const href = this.links.application(id);
    const properties = { culture, userAgent, type, endpointId, instanceId: instance ?? undefined, id };
    return {
      rel: 'application',
      href: href + queryString({ instanceId: instance ?? undefined }),
      links: [
        { rel: 'policies', href: `${href}/policies` },
        { rel: 'batch', href: `${href}/batch` },
        ...(session.isGuest ? [{ rel: 'onlineMeeting', href: this.meetings.guestMeetingHref(id) }] : []),
        ...(nextPackage === undefined ? [] : [{ rel: 'events', href: this.events(id, instance).package(nextPackage) }]),
      ],
      properties,
      embedded: [{ rel: 'me', many: false, resource: this.me(session, ownLinks) }, ...this.dashboards(session, client)],
      etag: contentEtag(properties),
    };
  }

  /** Links to people and meetings, only for users of the directory. */
  private dashboards({ application: { id }, isGuest }: Session, client: AvailableClient | undefined): Embedded[] {
    const communication = this.communications.communication(id, clientCommunication(client));
    return [
      ...(isGuest ? [] : this.dashboardsOfPeople(id)),
      { rel: 'communication', many: false, resource: communication },
    ];
  }

  private dashboardsOfPeople(id: string): Embedded[] {
    return [
      { rel: 'people', many: false, resource: this.people.people(id) },
      { rel: 'onlineMeetings', many: false, resource: this.meetings.onlineMeetings(id) },
    ];
  }

  events(id: string, instance: string | null): PackageLinks {
    return new PackageLinks(this.links, id, instance);
  }

  /** What the server allows its clients; everything that it does not implement is disabled. */
  policies(id: string): Resource {
    const href = this.links.application(id, 'policies');
    return { rel: 'policies', href, properties: POLICIES, etag: contentEtag(POLICIES) };
  }

  me({ application: { id }, owner, isGuest }: Session, links: readonly Link[]): Resource {
    return {
      rel: 'me',
      href: this.links.application(id, 'me'),
      links: isGuest
        ? links
        : [
            { rel: 'photo', href: this.people.photoHref(id, owner) },
            this.phones.link(id),
            this.callForwarding.link(id),
            ...links,
          ],
      properties: {
        ...commonProperties(owner),
        company: owner.company,
        officeLocation: owner.office,
        ...phoneProperties(owner),
      },
    };
  }
}

const POLICIES = {
  audioOnlyOnWifi: 'Disabled',
  customerExperienceImprovementProgram: 'Disabled',
  emoticons: 'Enabled',
  exchangeUnifiedMessaging: 'Disabled',
  htmlMessaging: 'Enabled',
  logging: 'Disabled',
  loggingLevel: 'Off',
  messageArchiving: 'Disabled',
  messagingUrls: 'Enabled',
  photos: 'Enabled',
  saveCallLogs: 'Disabled',
  saveCredentials: 'Enabled',
  saveMessagingHistory: 'Disabled',
};
