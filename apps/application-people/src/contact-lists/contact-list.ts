import { InterfaceError, type ErrorRow } from '@ringdown/web-server/errors';
import { reasons } from '@ringdown/hypermedia';

/** The groups that everyone has. They can be neither renamed nor deleted. */
export const PINNED_GROUP = 'pinned';
export const DEFAULT_GROUP = 'default';

/** A group that the user has created. */
export interface ContactGroup {
  readonly id: string;
  readonly name: string;
}

export interface Contact {
  /** SIP address, lower case. */
  readonly uri: string;
  /** Ids of the groups that contain the contact; never empty. */
  readonly groups: readonly string[];
}

/** The contacts and groups of one user, each in order of creation (web-interface.md, section 5). */
export interface ContactList {
  readonly contacts: readonly Contact[];
  readonly groups: readonly ContactGroup[];
}

/** As many contacts as the known servers allow (web-interface.md, section 11), and more groups than anyone can use. */
const MAX_CONTACTS = 250;
const MAX_GROUPS = 64;

const alreadyExists: ErrorRow = { ...reasons.alreadyExists, message: 'The contact is already in this group.' };
const groupNameExists: ErrorRow = { ...reasons.alreadyExists, message: 'A group with this name already exists.' };
const tooManyContacts: ErrorRow = {
  ...reasons.limitExceeded,
  message: `You have ${MAX_CONTACTS} contacts, the maximum.`,
};
const tooManyGroups: ErrorRow = {
  ...reasons.limitExceeded,
  subcode: 'TooManyGroups',
  message: `You have ${MAX_GROUPS} groups, the maximum.`,
};
const groupNotFound: ErrorRow = { status: 404, code: 'NotFound', message: 'The group does not exist.' };
const notInGroup: ErrorRow = { status: 404, code: 'NotFound', message: 'The contact is not in this group.' };
const fixedGroup: ErrorRow = {
  status: 403,
  code: 'Forbidden',
  subcode: 'OperationNotSupported',
  message: 'This group can be neither renamed nor deleted.',
};

/** All changes return a new list, or throw {@link InterfaceError} and leave the old one as it was. */
export function addToGroup(list: ContactList, uri: string, groupId: string): ContactList {
  requireGroup(list, groupId);
  const known = list.contacts.find((contact) => contact.uri === uri);
  if (known?.groups.includes(groupId)) throw new InterfaceError(alreadyExists);
  if (known === undefined) {
    if (list.contacts.length >= MAX_CONTACTS) throw new InterfaceError(tooManyContacts);
    return { ...list, contacts: [...list.contacts, { uri, groups: [groupId] }] };
  }
  return { ...list, contacts: withGroups(list, uri, [...known.groups, groupId]) };
}

/** A person who is in no group any more is not a contact any more. */
export function removeFromGroup(list: ContactList, uri: string, groupId: string): ContactList {
  requireMembership(list, uri, groupId);
  const groups = contactGroups(list, uri).filter((id) => id !== groupId);
  return groups.length === 0 ? removeContact(list, uri) : { ...list, contacts: withGroups(list, uri, groups) };
}

/** The same list when the person is not a contact. */
export function removeContact(list: ContactList, uri: string): ContactList {
  if (contactGroups(list, uri).length === 0) return list;
  return { ...list, contacts: list.contacts.filter((contact) => contact.uri !== uri) };
}

export function addGroup(list: ContactList, group: ContactGroup): ContactList {
  requireUniqueName(list, group);
  if (list.groups.length >= MAX_GROUPS) throw new InterfaceError(tooManyGroups);
  return { ...list, groups: [...list.groups, group] };
}

export function renameGroup(list: ContactList, group: ContactGroup): ContactList {
  requireUniqueName(list, group);
  return { ...list, groups: list.groups.map((each) => (each.id === group.id ? group : each)) };
}

/** Contacts that were only in this group are moved to the default group, so that none is lost. */
export function removeGroup(list: ContactList, id: string): ContactList {
  ownGroup(list, id);
  const contacts = list.contacts.map(({ uri, groups }) => {
    const others = groups.filter((each) => each !== id);
    return { uri, groups: others.length === 0 ? [DEFAULT_GROUP] : others };
  });
  return { contacts, groups: list.groups.filter((group) => group.id !== id) };
}

/** A group that the user may change. */
export function ownGroup(list: ContactList, id: string): ContactGroup {
  if (isFixed(id)) throw new InterfaceError(fixedGroup);
  const group = list.groups.find((each) => each.id === id);
  if (group === undefined) throw new InterfaceError(groupNotFound);
  return group;
}

/** SIP addresses of the members of the group. */
export function groupMembers(list: ContactList, groupId: string): readonly string[] {
  requireGroup(list, groupId);
  return list.contacts.filter(({ groups }) => groups.includes(groupId)).map(({ uri }) => uri);
}

/** Undefined when the group does not exist. */
export function membersIfAny(list: ContactList, groupId: string): readonly string[] | undefined {
  return isFixed(groupId) || list.groups.some(({ id }) => id === groupId) ? groupMembers(list, groupId) : undefined;
}

export function requireGroup(list: ContactList, id: string): void {
  if (!isFixed(id)) ownGroup(list, id);
}

export function requireMembership(list: ContactList, uri: string, groupId: string): void {
  if (!contactGroups(list, uri).includes(groupId)) throw new InterfaceError(notInGroup);
}

/** The list with other addresses of its contacts, of whom two may have become one. */
export function withAddresses(list: ContactList, addressOf: (uri: string) => string): ContactList {
  if (list.contacts.every(({ uri }) => addressOf(uri) === uri)) return list;
  return {
    ...list,
    contacts: uniqueContacts(list.contacts.map((contact) => ({ ...contact, uri: addressOf(contact.uri) }))),
  };
}

/**
 * Everything of two lists of one person, also when that is more than the limits. Groups with the same name become the one of
 * the first list.
 */
export function mergeLists(first: ContactList, second: ContactList): ContactList {
  const idByName = new Map(first.groups.map(({ id, name }) => [name.toLowerCase(), id]));
  const merged = new Map(second.groups.map(({ id, name }) => [id, idByName.get(name.toLowerCase()) ?? id]));
  const contacts = second.contacts.map(({ uri, groups }) => ({
    uri,
    groups: groups.map((id) => merged.get(id) ?? id),
  }));
  const groups = new Map([...second.groups, ...first.groups].map((group) => [group.id, group]));
  const ids = new Set([...first.groups.map(({ id }) => id), ...merged.values()]);
  return {
    contacts: uniqueContacts([...first.contacts, ...contacts]),
    groups: [...ids].flatMap((id) => groups.get(id) ?? []),
  };
}

/** One contact for each address, in all groups of that address. */
function uniqueContacts(all: readonly Contact[]): readonly Contact[] {
  const contacts = new Map<string, Contact>();
  for (const { uri, groups } of all) {
    contacts.set(uri, { uri, groups: [...new Set([...(contacts.get(uri)?.groups ?? []), ...groups])] });
  }
  return [...contacts.values()];
}

/** Empty for an address that is not a contact. */
export function contactGroups({ contacts }: ContactList, uri: string): readonly string[] {
  return contacts.find((contact) => contact.uri === uri)?.groups ?? [];
}

export function isFixed(groupId: string): boolean {
  return groupId === PINNED_GROUP || groupId === DEFAULT_GROUP;
}

function withGroups({ contacts }: ContactList, uri: string, groups: readonly string[]): readonly Contact[] {
  return contacts.map((contact) => (contact.uri === uri ? { uri, groups } : contact));
}

/** Names that differ only in case look the same to people. */
function requireUniqueName({ groups }: ContactList, { id, name }: ContactGroup): void {
  const nameExists = groups.some((each) => each.id !== id && each.name.toLowerCase() === name.toLowerCase());
  if (nameExists) throw new InterfaceError(groupNameExists);
}
