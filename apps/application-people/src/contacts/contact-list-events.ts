import { Inject, Injectable } from '@nestjs/common';
import { DIRECTORY, type Directory } from '@ringdown/directory';
import type { EventLink, EventType, SessionEvent } from '../events/session-event.js';
import { contactGroups, isFixed, type ContactGroup, type ContactList } from '../contact-lists/contact-list.js';
import { ContactListResources } from './contact-list-resources.js';

export interface ContactListDifference {
  readonly before: ContactList;
  readonly after: ContactList;
}

/**
 * The events that report a change to an application (web-interface.md, section 7): new groups before their contacts,
 * removed groups after them.
 */
@Injectable()
export class ContactListEvents {
  constructor(
    private readonly resources: ContactListResources,
    @Inject(DIRECTORY) private readonly directory: Directory,
  ) {}

  of(id: string, { before, after }: ContactListDifference): readonly SessionEvent[] {
    const named = new Map(before.groups.map((group) => [group.id, group.name]));
    const changed = after.groups.filter(({ id: groupId, name }) => named.get(groupId) !== name);
    const gone = before.groups.filter((group) => !has(after, group.id));
    const uris = new Set([...before.contacts, ...after.contacts].map(({ uri }) => uri));
    return [
      ...changed.map((group) => this.group(id, named.has(group.id) ? 'updated' : 'added', group, after)),
      ...[...uris].flatMap((uri) => this.contact(id, uri, { before, after })),
      ...gone.map((group) => this.group(id, 'deleted', group, after)),
    ];
  }

  private group(id: string, type: EventType, group: ContactGroup, after: ContactList): SessionEvent {
    return {
      sender: this.sender(id),
      type,
      link: { rel: 'group', href: this.resources.groupHref(id, group.id), title: group.name },
      in: { rel: 'myGroups', href: this.resources.groupHref(id) },
      ...(type === 'deleted' ? {} : { embedded: this.resources.group(id, group.id, after) }),
    };
  }

  private contact(id: string, uri: string, { before, after }: ContactListDifference): SessionEvent[] {
    const [old, now] = [contactGroups(before, uri), contactGroups(after, uri)];
    const lists = (groups: readonly string[]): EventLink[] =>
      groups.map((group) => ({ rel: 'groupContacts', href: this.resources.contactsHref(id, group) }));
    const mine: EventLink = { rel: 'myContacts', href: this.resources.contactsHref(id) };
    const added = lists(now.filter((group) => !old.includes(group)));
    // The members of a removed group do not need events of their own.
    const removed = lists(old.filter((group) => !now.includes(group) && has(after, group)));
    return [
      ...(old.length === 0 ? [mine, ...added] : added).map((place) => this.contactEvent(id, 'added', uri, place)),
      ...(now.length === 0 ? [...removed, mine] : removed).map((place) => this.contactEvent(id, 'deleted', uri, place)),
    ];
  }

  private contactEvent(id: string, type: EventType, uri: string, place: EventLink): SessionEvent {
    const person = this.directory.people.withSipAddress(uri);
    const title = person === undefined ? {} : { title: person.name };
    return {
      sender: this.sender(id),
      type,
      link: { rel: 'contact', href: this.resources.contactHref(id, uri), ...title },
      in: place,
      ...(type === 'deleted' || person === undefined ? {} : { embedded: this.resources.contact(id, person) }),
    };
  }

  private sender(id: string): SessionEvent['sender'] {
    return { rel: 'people', href: this.resources.peopleHref(id) };
  }
}

function has({ groups }: ContactList, groupId: string): boolean {
  return isFixed(groupId) || groups.some(({ id }) => id === groupId);
}
