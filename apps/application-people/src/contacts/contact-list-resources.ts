import { Injectable } from '@nestjs/common';
import type { People, Person } from '@ringdown/directory';
import { LinkBuilder, queryString, type Embedded, type Link, type Resource } from '@ringdown/hypermedia';
import { contentEtag } from '../http/etag.js';
import { putToken } from '../http/put-request.js';
import { PeopleResources } from '../people/people-resources.js';
import { SubscriptionResources } from '../subscriptions/subscription-resources.js';
import {
  DEFAULT_GROUP,
  isFixed,
  groupMembers,
  ownGroup,
  PINNED_GROUP,
  type ContactGroup,
  type ContactList,
} from '../contact-lists/contact-list.js';

const FIXED_GROUPS: readonly ContactGroup[] = [
  { id: PINNED_GROUP, name: 'Favorites' },
  { id: DEFAULT_GROUP, name: 'Other Contacts' },
];
/** The revision of the resources that can be edited (web-interface.md, section 12). */
const REVISION = '2';

/**
 * The resources of contacts and groups (web-interface.md, section 5). Contacts who have left the directory are not
 * shown.
 */
@Injectable()
export class ContactListResources {
  constructor(
    private readonly links: LinkBuilder,
    private readonly people: PeopleResources,
    private readonly subscriptions: SubscriptionResources,
  ) {}

  /** All contacts. The embedded list is there even when it is empty, because clients read it without a check. */
  myContacts(id: string, list: ContactList, people: People, expand: boolean): Resource {
    const uris = list.contacts.map(({ uri }) => uri);
    return this.contacts({ rel: 'myContacts', href: this.contactsHref(id) }, id, known(uris, people), expand);
  }

  groupContacts(id: string, groupId: string, list: ContactList, people: People, expand: boolean): Resource {
    const self = { rel: 'groupContacts', href: this.contactsHref(id, groupId) };
    return this.contacts(self, id, known(groupMembers(list, groupId), people), expand);
  }

  /** The two fixed groups come first: some clients stop at an empty list. */
  myGroups(id: string, list: ContactList, expand: boolean): Resource {
    const fixed = FIXED_GROUPS.map((group) => this.groupOf(id, group));
    const own = list.groups.map((group) => this.groupOf(id, group));
    const self = { rel: 'myGroups', href: this.groupHref(id), revision: REVISION };
    if (!expand) {
      const links = [...fixed, ...own].map(({ rel, href }) => ({
        rel,
        href,
        revision: REVISION,
        many: rel === 'group',
      }));
      return { ...self, links };
    }
    const embedded: Embedded[] = fixed.map((resource) => ({ rel: resource.rel, many: false, resource }));
    return { ...self, embedded: [...embedded, { rel: 'group', many: true, resources: own }] };
  }

  /** Throws InterfaceError when the group does not exist. */
  group(id: string, groupId: string, list: ContactList): Resource {
    return this.groupOf(id, FIXED_GROUPS.find((group) => group.id === groupId) ?? ownGroup(list, groupId));
  }

  myGroupMemberships(id: string, list: ContactList, people: People): Resource {
    const resources = list.contacts.flatMap(({ uri, groups }) =>
      known([uri], people).flatMap(() => groups.map((groupId) => this.membership(id, uri, groupId))),
    );
    const href = this.membershipHref(id);
    return {
      rel: 'myGroupMemberships',
      href,
      revision: REVISION,
      links: [{ rel: 'removeContactFromAllGroups', href: `${href}/removeContactFromAllGroups`, revision: REVISION }],
      embedded: [{ rel: 'myGroupMembership', many: true, resources }],
    };
  }

  /** The membership of a contact in a group. */
  membership(id: string, uri: string, groupId: string): Resource {
    return {
      rel: 'myGroupMembership',
      href: this.membershipHref(id, groupId, contactAddress(uri)),
      revision: REVISION,
      links: [
        { rel: 'contact', href: this.contactHref(id, uri) },
        { rel: relOf(groupId), href: this.groupHref(id, groupId), revision: REVISION },
      ],
    };
  }

  contact(id: string, person: Person): Resource {
    return this.people.contact(id, person);
  }

  contactHref(id: string, uri: string): string {
    return this.links.application(id, 'people', contactAddress(uri));
  }

  /** The URL of all contacts, or of those in one group. */
  contactsHref(id: string, groupId?: string): string {
    return this.links.application(id, 'people', 'contacts') + queryString({ groupId });
  }

  /** The URL of one group, or of all. */
  groupHref(id: string, ...groupId: readonly string[]): string {
    return this.links.application(id, 'people', 'groups', ...groupId);
  }

  peopleHref(id: string): string {
    return this.links.application(id, 'people');
  }

  private membershipHref(id: string, ...membership: readonly string[]): string {
    return this.links.application(id, 'people', 'groupMemberships', ...membership);
  }

  private contacts(
    self: { rel: string; href: string },
    id: string,
    people: readonly Person[],
    expand: boolean,
  ): Resource {
    if (!expand) {
      const links = people.map((person): Link => {
        const href = this.contactHref(id, person.sipAddress);
        return { rel: 'contact', href, title: person.name, many: true };
      });
      return { ...self, links };
    }
    const resources = people.map((person) => this.contact(id, person));
    return { ...self, embedded: [{ rel: 'contact', many: true, resources }] };
  }

  private groupOf(id: string, group: ContactGroup): Resource {
    return {
      rel: relOf(group.id),
      href: this.groupHref(id, group.id),
      revision: REVISION,
      links: [
        { rel: 'groupContacts', href: this.contactsHref(id, group.id) },
        this.subscriptions.groupLink(id, group.id),
      ],
      properties: { ...(isFixed(group.id) ? {} : putToken(group.id)), id: group.id, name: group.name },
      etag: groupEtag(group),
    };
  }
}

export function groupEtag({ id, name }: ContactGroup): string {
  return contentEtag({ id, name });
}

function relOf(groupId: string): string {
  return isFixed(groupId) ? `${groupId}Group` : 'group';
}

function contactAddress(uri: string): string {
  return uri.replace(/^sip:/, '');
}

function known(uris: readonly string[], people: People): readonly Person[] {
  return uris.flatMap((uri) => people.withSipAddress(uri) ?? []);
}
