import type { Resource } from '@ringdown/hypermedia';

export type EventType = 'added' | 'updated' | 'deleted' | 'started' | 'completed';

export interface EventLink {
  readonly rel: string;
  readonly href: string;
  readonly title?: string;
}

/** An event that a session receives (web-interface.md, section 7). Plain data that survives JSON. */
export interface SessionEvent {
  /** The resource under which the client looks for changes: `me`, `people`, `communication`, a conversation. */
  readonly sender: { readonly rel: string; readonly href: string };
  readonly type: EventType;
  /** The resource that the event is about. */
  readonly link: EventLink;
  /** The collection that it was added to or removed from. */
  readonly in?: EventLink;
  /** The state of that resource; JSON shows it under the relation of the link. */
  readonly embedded?: Resource;
  /** How an operation has ended; only with `completed`. */
  readonly status?: 'Success' | 'Failure';
  readonly reason?: { readonly code: string; readonly subcode?: string };
  /**
   * The event stands for one for each of these people, whose names in URLs replace `EACH_PERSON` in its addresses: as many
   * single events would not fit into one record (ADR 0011).
   */
  readonly people?: readonly string[];
  /** Not shown: the message whose sender waits for the confirmation that the client has fetched this. */
  readonly receipt?: Receipt;
}

export interface Receipt {
  readonly conversation: string;
  readonly number: number;
}

export function isSameReceipt(one: Receipt | undefined, { conversation, number }: Receipt): boolean {
  return one?.conversation === conversation && one.number === number;
}

export type Urgency = 'high' | 'medium' | 'low';

const MEDIUM = new Set([
  'me',
  'presence',
  'note',
  'location',
  'communication',
  'callForwardingSettings',
  'contactPresence',
  'contactNote',
  'contactLocation',
  'contactSupportedModalities',
  'contactPrivacyRelationship',
  'presenceSubscription',
  'myContactsAndGroupsSubscription',
  'policies',
]);
const LOW = new Set(['defaultGroup', 'pinnedGroup', 'myOrganizationGroup']);

/**
 * How long an event may wait to be sent with others; events of high urgency do not wait (web-interface.md, section 7,
 * "Urgency").
 */
export function eventUrgency({ link, in: collection }: SessionEvent): Urgency {
  if (MEDIUM.has(link.rel)) return 'medium';
  if (link.rel === 'contact' && collection?.rel === 'subscribedContacts') return 'medium';
  if (LOW.has(link.rel) && collection?.rel === 'myGroups') return 'low';
  return 'high';
}

/**
 * Whether the event is the first one of its package: some clients look for an incoming invitation only there
 * (web-interface.md, section 14).
 */
export function opensPackage({ type, link, embedded }: SessionEvent): boolean {
  return type === 'started' && link.rel === 'messagingInvitation' && embedded?.properties?.['direction'] === 'Incoming';
}

/**
 * Whether the newer event contains everything that the older one reports, so that the older one can be left out: the
 * newest state of a resource is enough. Only updates are ever left out. The last state of a conversation is not: clients
 * end with its `Disconnected`, and do not look for the deletion (web-interface.md, section 8, "Stop").
 */
export function supersedes(newer: SessionEvent, older: SessionEvent): boolean {
  return (
    older.type === 'updated' &&
    (newer.type === 'updated' || (newer.type === 'deleted' && newer.link.rel !== 'conversation')) &&
    newer.link.rel === older.link.rel &&
    newer.link.href === older.link.href &&
    newer.sender.href === older.sender.href &&
    newer.in?.href === older.in?.href
  );
}
