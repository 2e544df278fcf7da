import { Injectable } from '@nestjs/common';
import type { Person } from '@ringdown/directory';
import {
  LinkBuilder,
  queryString,
  resourceJsonAround,
  type Embedded,
  type Link,
  type Resource,
} from '@ringdown/hypermedia';
import { contentEtag } from '../http/etag.js';
import { PresenceResources } from '../presence/presence-resources.js';
import { PrivacyResources } from '../privacy/privacy-resources.js';
import type { Acquaintance } from '../readable-contacts/readable-contacts.js';
import { ContactTexts } from '../search/contact-texts.js';
import type { SearchResult } from '../search/updatable-index.js';
import type { SearchRequest } from '../search/search-request.js';
import { SubscriptionResources } from '../subscriptions/subscription-resources.js';
import { acquaintanceProperties, contactProperties } from './person-properties.js';

/** The resources of people: the entry point, each person, and the result of a search (web-interface.md, section 5). */
@Injectable()
export class PeopleResources {
  private readonly contactTexts: ContactTexts;

  constructor(
    private readonly links: LinkBuilder,
    private readonly presence: PresenceResources,
    private readonly subscriptions: SubscriptionResources,
    private readonly privacy: PrivacyResources,
  ) {
    const contact = (id: string, person: Person): Resource => this.contact(id, person);
    this.contactTexts = new ContactTexts({ contact, properties: contactProperties });
  }

  people(id: string): Resource {
    const href = this.links.application(id, 'people');
    const links: Link[] = [
      ...this.subscriptions.dashboardLinks(id),
      { rel: 'myGroups', href: `${href}/groups`, revision: '2' },
      { rel: 'myGroupMemberships', href: `${href}/groupMemberships`, revision: '2' },
      { rel: 'myContacts', href: `${href}/contacts` },
      { rel: 'myContactsAndGroupsSubscription', href: `${href}/contactsAndGroupsSubscription` },
      this.privacy.link(id),
      { rel: 'search', href: `${href}/search` },
    ];
    return { rel: 'people', href, links };
  }

  contact(id: string, person: Person): Resource {
    const properties = contactProperties(person);
    return {
      rel: 'contact',
      href: this.links.application(id, 'people', personPathAddress(person)),
      links: [
        { rel: 'contactPhoto', href: this.photoHref(id, person) },
        ...this.presence.contactLinks(id, person),
        this.privacy.contactLink(id, person.sipAddress),
      ],
      properties,
      etag: contentEtag(properties),
    };
  }

  /** Without anything that only people of the directory have. */
  acquaintance(id: string, who: Acquaintance): Resource {
    const properties = acquaintanceProperties(who);
    return {
      rel: 'contact',
      href: this.links.application(id, 'people', personPathAddress(who)),
      links: [{ rel: 'contactPhoto', href: this.photoHref(id, who) }, ...this.presence.contactLinks(id, who)],
      properties,
      etag: contentEtag(properties),
    };
  }

  /** The parent URL of all photos that this application may show. */
  photosHref(id: string): string {
    return this.links.application(id, 'photos');
  }

  /** Returns 404 when there is no photo: which people have a photo is not known in advance. */
  photoHref(id: string, person: Pick<Person, 'sipAddress'>): string {
    return this.links.application(id, 'photos', personPathAddress(person));
  }

  /**
   * The list is left out when it is empty, because clients treat its presence as a result. Contact resources are only
   * created for other forms than JSON; JSON is written without them.
   */
  search(id: string, { query, mail, limit, limitGiven, revision }: SearchRequest, result: SearchResult): Resource {
    const requested = queryString({ query, mail, limit: limitGiven ? limit : undefined });
    const found = {
      rel: 'search',
      href: this.links.application(id, 'people', 'search') + requested,
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

function personPathAddress({ sipAddress }: Pick<Person, 'sipAddress'>): string {
  return sipAddress.replace(/^sip:/, '');
}
