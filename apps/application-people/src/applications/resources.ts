import type { Person, PhoneKind } from '@ringdown/directory';
import {
  queryString,
  type Embedded,
  type Link,
  type LinkBuilder,
  type Properties,
  type Resource,
  resourceJsonAround,
} from '@ringdown/hypermedia';
import { PackageLinks } from '../events/event-package.js';
import { etagOf } from '../http/etag.js';
import { communicationOf, type CommunicationResources } from '../messaging/communication-resources.js';
import type { OnlineMeetingResources } from '../online-meetings/online-meeting-resources.js';
import type { PresenceParts } from '../presence/open-presence.js';
import type { AvailableClient } from '../presence/presence-record.js';
import { ContactTexts } from '../search/contact-texts.js';
import type { SearchResult } from '../search/followed-index.js';
import type { SearchRequest } from '../search/search-request.js';
import type { PhoneResources } from './phone-resources.js';
import type { Session } from './sessions.js';

/** Who looks at an application. */
export interface ApplicationView {
  readonly instance: string | null;
  /** The package of events to ask for next; undefined when this instance has no event channel. */
  readonly nextPackage: number | undefined;
  /** What its user can do with his own presence; nothing for guests. */
  readonly ownLinks: readonly Link[];
  /** What the client can do once its user is available in it. */
  readonly client: AvailableClient | undefined;
}

/**
 * The resources of an application (web-interface.md, sections 4 and 5). A link that is not there says that the
 * capability is not there: no link here leads nowhere.
 */
export class ApplicationResources {
  private readonly contactTexts: ContactTexts;

  constructor(
    private readonly links: LinkBuilder,
    private readonly meetings: OnlineMeetingResources,
    private readonly presence: Pick<PresenceParts, 'resources' | 'subscriptionResources'>,
    private readonly communications: CommunicationResources,
    private readonly phones: PhoneResources,
  ) {
    const contact = (id: string, person: Person): Resource => this.contact(id, person);
    this.contactTexts = new ContactTexts({ contact, properties: contactProperties });
  }

  /** As the given instance of the client sees it. What is embedded has tags of its own and does not change this one. */
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
        ...(nextPackage === undefined ? [] : [{ rel: 'events', href: this.events(id, instance).package(nextPackage) }]),
      ],
      properties,
      embedded: [{ rel: 'me', many: false, resource: this.me(session, ownLinks) }, ...this.dashboards(session, client)],
      etag: etagOf(properties),
    };
  }

  /** People and meetings are for people of the directory alone. */
  private dashboards({ application: { id }, isGuest }: Session, client: AvailableClient | undefined): Embedded[] {
    const communication = this.communications.communication(id, communicationOf(client), isGuest);
    return [
      ...(isGuest ? [] : this.dashboardsOfPeople(id)),
      { rel: 'communication', many: false, resource: communication },
    ];
  }

  private dashboardsOfPeople(id: string): Embedded[] {
    return [
      { rel: 'people', many: false, resource: this.people(id) },
      { rel: 'onlineMeetings', many: false, resource: this.meetings.onlineMeetings(id) },
    ];
  }

  events(id: string, instance: string | null): PackageLinks {
    return new PackageLinks(this.links, id, instance);
  }

  /** What the server lets its clients do; whatever it has no part for is disabled. */
  policies(id: string): Resource {
    const href = this.links.application(id, 'policies');
    return { rel: 'policies', href, properties: POLICIES, etag: etagOf(POLICIES) };
  }

  me({ application: { id }, owner, isGuest }: Session, links: readonly Link[]): Resource {
    return {
      rel: 'me',
      href: this.links.application(id, 'me'),
      links: isGuest ? links : [{ rel: 'photo', href: this.photoHref(id, owner) }, this.phones.link(id), ...links],
      properties: {
        ...commonProperties(owner),
        company: owner.company,
        officeLocation: owner.office,
        ...phoneProperties(owner),
      },
    };
  }

  people(id: string): Resource {
    const href = this.links.application(id, 'people');
    const links: Link[] = [
      ...this.presence.subscriptionResources.dashboardLinks(id),
      { rel: 'myGroups', href: `${href}/groups`, revision: '2' },
      { rel: 'myGroupMemberships', href: `${href}/groupMemberships`, revision: '2' },
      { rel: 'myContacts', href: `${href}/contacts` },
      { rel: 'search', href: `${href}/search` },
    ];
    return { rel: 'people', href, links };
  }

  contact(id: string, person: Person): Resource {
    const properties = contactProperties(person);
    return {
      rel: 'contact',
      href: this.links.application(id, 'people', addressOf(person)),
      links: [
        { rel: 'contactPhoto', href: this.photoHref(id, person) },
        ...this.presence.resources.contactLinks(id, person),
      ],
      properties,
      etag: etagOf(properties),
    };
  }

  /** Above all photos that this application may show. */
  photosHref(id: string): string {
    return this.links.application(id, 'photos');
  }

  /** Leads to 404 while there is no photo: nobody knows of all people whether they have one. */
  private photoHref(id: string, person: Person): string {
    return this.links.application(id, 'photos', addressOf(person));
  }

  /**
   * The list is left out when it is empty: clients take its presence for results. Contacts are made for what is no JSON;
   * that is written without them.
   */
  search(id: string, { query, mail, limit, limitGiven, revision }: SearchRequest, result: SearchResult): Resource {
    const asked = queryString({ query, mail, limit: limitGiven ? limit : undefined });
    const found = {
      rel: 'search',
      href: this.links.application(id, 'people', 'search') + asked,
      ...(revision === undefined ? {} : { revision }),
      properties: { moreResultsAvailable: result.moreResultsAvailable },
    };
    if (result.people.length === 0) return found;
    const contact = (person: Person): Resource => this.contact(id, person);
    return {
      ...found,
      get embedded(): readonly Embedded[] {
        return [{ rel: 'contact', many: true, resources: result.people.map((person) => contact(person)) }];
      },
      json: () => resourceJsonAround(found, 'contact', this.contactTexts.of(id, result.people)),
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

function addressOf({ sipAddress }: Person): string {
  return sipAddress.replace(/^sip:/, '');
}

function contactProperties(person: Person): Properties {
  return {
    ...commonProperties(person),
    sourceNetwork: 'SameEnterprise',
    type: 'User',
    company: person.company,
    office: person.office,
    ...phoneProperties(person),
  };
}

function commonProperties({ name, sipAddress, mail, title, department }: Person): Properties {
  return { name, uri: sipAddress, emailAddresses: mail === undefined ? undefined : [mail], title, department };
}

/** By name: names that are put together anew for each of the people of a search cost more than all that is written of them. */
function phoneProperties({ phones }: Person): Record<`${PhoneKind}PhoneNumber`, string | undefined> {
  return {
    workPhoneNumber: telUri(phones.work),
    homePhoneNumber: telUri(phones.home),
    mobilePhoneNumber: telUri(phones.mobile),
    otherPhoneNumber: telUri(phones.other),
  };
}

function telUri(number: string | undefined): string | undefined {
  return number === undefined ? undefined : `tel:${number}`;
}
