import type { Contact, Group, Membership } from '../web-interface/index.js';

/** A group with its members. */
export interface Section {
  readonly group: Group;
  readonly people: readonly { readonly contact: Contact; readonly membership: Membership }[];
}

export interface Roster {
  readonly contacts: readonly Contact[];
  readonly sections: readonly Section[];
}

/** The groups as shown: the pinned one first, the default group last, people by name. */
export function contactRoster(
  contacts: readonly Contact[],
  groups: readonly Group[],
  memberships: readonly Membership[],
): Roster {
  const byHref = new Map(contacts.map((contact) => [contact.href, contact]));
  const sections = groups.map((group) => ({
    group,
    people: memberships
      .flatMap((membership) => {
        const contact = membership.group === group.href ? byHref.get(membership.contact) : undefined;
        return contact === undefined ? [] : [{ contact, membership }];
      })
      .sort((one, other) => one.contact.name.localeCompare(other.contact.name)),
  }));
  const order = { pinnedGroup: 0, group: 1, defaultGroup: 2 };
  return { contacts, sections: sections.sort((one, other) => order[one.group.rel] - order[other.group.rel]) };
}
