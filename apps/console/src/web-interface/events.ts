import { UnexpectedAnswer, type Reason } from './errors.js';
import {
  readConversation,
  readInvitation,
  readMessage,
  readMessaging,
  type Conversation,
  type Invitation,
  type Message,
  type Messaging,
} from './messaging-resources.js';
import { readContact, readGroup, type Contact, type Group } from './people-resources.js';
import type { JsonReader } from './json-reader.js';

/** The resource of an event, if this client knows its kind. */
export type EventResource = Conversation | Messaging | Invitation | Message | Contact | Group;

export interface EventLink {
  readonly rel: string;
  readonly href: string;
  readonly title?: string;
}

/** One change of a resource (web-interface.md, section 7). */
export interface SessionEvent {
  readonly type: 'added' | 'updated' | 'deleted' | 'started' | 'completed';
  readonly sender: Omit<EventLink, 'title'>;
  readonly link: EventLink;
  /** The list that has changed. */
  readonly in?: EventLink;
  /** The outcome of a completed operation. */
  readonly outcome?: 'Success' | 'Failure';
  readonly reason?: Reason;
  readonly resource?: EventResource;
}

/** An answer to a poll. */
export interface EventPackage {
  readonly next: string;
  readonly events: readonly SessionEvent[];
  /**
   * `resync`: cached data may be out of date; `resume`: subscriptions have ended as well. Then everything is read
   * again.
   */
  readonly startOver?: 'resync' | 'resume';
}

const READERS: Readonly<Record<string, (resource: JsonReader) => EventResource>> = {
  conversation: readConversation,
  messaging: readMessaging,
  messagingInvitation: readInvitation,
  message: readMessage,
  contact: readContact,
  group: readGroup,
};

export function readPackage(answer: JsonReader): EventPackage {
  const resync = answer.optionalLink('resync');
  if (resync !== undefined) return { next: resync, events: [], startOver: 'resync' };
  const resume = answer.optionalLink('resume');
  const all = answer.list('sender').flatMap((sender) => {
    const from = { rel: sender.text('rel'), href: sender.text('href') };
    return sender.list('events').map((event) => readable(event, from));
  });
  const events = all.filter((event) => event !== undefined);
  const startOver = resume === undefined ? 'resync' : 'resume';
  const isWhole = resume === undefined && events.length === all.length;
  return { next: resume ?? answer.link('next'), events, ...(isWhole ? {} : { startOver }) };
}

/** Undefined for an invalid event, which must not block the others for ever. Its data is read again. */
function readable(event: JsonReader, sender: SessionEvent['sender']): SessionEvent | undefined {
  try {
    return readEvent(event, sender);
  } catch (error) {
    if (error instanceof UnexpectedAnswer) return undefined;
    throw error;
  }
}

function readEvent(event: JsonReader, sender: SessionEvent['sender']): SessionEvent {
  const link = readLink(event.field('link'));
  const read = READERS[link.rel];
  const isShown = read !== undefined && event.has('_embedded');
  return {
    type: event.oneOf('type', ['added', 'updated', 'deleted', 'started', 'completed']),
    sender,
    link,
    ...(event.has('in') ? { in: readLink(event.field('in')) } : {}),
    ...(event.has('status') ? { outcome: event.oneOf('status', ['Success', 'Failure']) } : {}), // not shown: values of the web interface
    ...(event.has('reason') ? { reason: readReason(event.field('reason')) } : {}),
    ...(isShown ? { resource: read(event.embedded(link.rel)) } : {}),
  };
}

function readLink(link: JsonReader): EventLink {
  const title = link.optionalText('title');
  return { rel: link.text('rel'), href: link.text('href'), ...(title === undefined ? {} : { title }) };
}

function readReason(reason: JsonReader): Reason {
  const subcode = reason.optionalText('subcode');
  return { code: reason.text('code'), ...(subcode === undefined ? {} : { subcode }) };
}
