import type { Contact, ContactGroup, ContactList } from './contact-list.js';

export interface StoredContactList extends ContactList {
  /** How often it was changed; 0 for the list from the directory. */
  readonly version: number;
}

/** Parses a stored list. Throws for a form that this version does not write. */
export function parseContactList(value: unknown): StoredContactList {
  const { version, contacts, groups } = Object(value);
  if (typeof version !== 'number' || !isListOf(contacts, isContact) || !isListOf(groups, isGroup)) {
    throw new Error('a stored contact list has an unknown format');
  }
  return { version, contacts, groups };
}

function isListOf<T>(value: unknown, isItem: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.every((item) => isItem(item));
}

function isContact(value: unknown): value is Contact {
  const { uri, groups } = Object(value);
  return typeof uri === 'string' && isListOf(groups, isText);
}

function isGroup(value: unknown): value is ContactGroup {
  const { id, name } = Object(value);
  return typeof id === 'string' && typeof name === 'string';
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
