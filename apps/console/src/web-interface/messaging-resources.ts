// not shown: values of the web interface
import { UnexpectedAnswer } from './errors.js';
import { withoutUndefined } from './without-undefined.js';
import type { Link, JsonReader } from './json-reader.js';

/** Between the user and one other person (web-interface.md, section 8). */
export interface Conversation {
  readonly rel: 'conversation';
  readonly href: string;
  readonly state: 'Connecting' | 'Incoming' | 'Connected' | 'Disconnected';
  readonly messaging: string;
  readonly participants: string;
  readonly subject?: string;
}

/** The possible actions of a conversation are links. */
export interface Messaging {
  readonly rel: 'messaging';
  readonly href: string;
  readonly state: 'Connecting' | 'Connected' | 'Disconnected';
  readonly conversation: string;
  readonly links: {
    readonly send?: string;
    readonly typing?: string;
    readonly stop?: string;
    readonly again?: string;
  };
}

export interface Participant {
  readonly href: string;
  readonly uri: string;
  readonly name: string;
  /** The user. */
  readonly isLocal: boolean;
  /** Of people of the directory. */
  readonly contact?: string;
}

interface AnyInvitation {
  readonly rel: 'messagingInvitation';
  readonly href: string;
  readonly state: 'Connecting' | 'Connected' | 'Cancelled' | 'Declined' | 'Failed';
  readonly conversation: string;
  readonly subject?: string;
}
export interface IncomingInvitation extends AnyInvitation {
  readonly direction: 'Incoming';
  readonly from: Participant;
  /** Until it is answered, here or elsewhere. */
  readonly answers?: { readonly accept: string; readonly decline: string };
  /** The first message. */
  readonly text?: string;
}
export interface OutgoingInvitation extends AnyInvitation {
  readonly direction: 'Outgoing';
  /** The contact; missing if there is no person with that address. */
  readonly to?: string;
  readonly operationId?: string;
}
export type Invitation = IncomingInvitation | OutgoingInvitation;

export interface Message {
  readonly rel: 'message';
  readonly href: string;
  readonly messaging: string;
  readonly direction: 'Incoming' | 'Outgoing';
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Of incoming ones. */
  readonly text?: string;
}

export function readConversation(conversation: JsonReader): Conversation {
  return withoutUndefined({
    rel: 'conversation' as const,
    href: conversation.link('self'),
    state: conversation.oneOf('state', ['Connecting', 'Incoming', 'Connected', 'Disconnected']),
    messaging: conversation.link('messaging'),
    participants: conversation.link('participants'),
    subject: conversation.optionalText('subject'),
  });
}

export function readMessaging(messaging: JsonReader): Messaging {
  return {
    rel: 'messaging',
    href: messaging.link('self'),
    state: messaging.oneOf('state', ['Connecting', 'Connected', 'Disconnected']),
    conversation: messaging.link('conversation'),
    links: withoutUndefined({
      send: messaging.optionalLink('sendMessage'),
      typing: messaging.optionalLink('setIsTyping'),
      stop: messaging.optionalLink('stopMessaging'),
      again: messaging.optionalLink('addMessaging'),
    }),
  };
}

export function readParticipant(participant: JsonReader): Participant {
  return withoutUndefined({
    href: participant.link('self'),
    uri: participant.text('uri'),
    name: participant.text('name'),
    isLocal: participant.has('local'),
    contact: participant.optionalLink('contact'),
  });
}

export function readInvitation(invitation: JsonReader): Invitation {
  const common = withoutUndefined({
    rel: 'messagingInvitation' as const,
    href: invitation.link('self'),
    state: invitation.oneOf('state', ['Connecting', 'Connected', 'Cancelled', 'Declined', 'Failed']),
    conversation: invitation.link('conversation'),
    subject: invitation.optionalText('subject'),
  });
  if (invitation.oneOf('direction', ['Incoming', 'Outgoing']) === 'Outgoing') {
    const requested = { to: invitation.optionalLink('to'), operationId: invitation.optionalText('operationId') };
    return { ...common, direction: 'Outgoing', ...withoutUndefined(requested) };
  }
  const from = readParticipant(invitation.embedded('from'));
  const message = invitation.optionalLink('message');
  const shown = { answers: readAnswers(invitation), text: message === undefined ? undefined : textOfDataUri(message) };
  return { ...common, direction: 'Incoming', from, ...withoutUndefined(shown) };
}

export function readMessage(message: JsonReader): Message {
  const content = message.optionalLink('plainMessage') ?? message.optionalLink('htmlMessage');
  return withoutUndefined({
    rel: 'message' as const,
    href: message.link('self'),
    messaging: message.link('messaging'),
    direction: message.oneOf('direction', ['Incoming', 'Outgoing']),
    at: message.time('timeStamp'),
    text: content === undefined ? undefined : textOfDataUri(content),
  });
}

/** Links to the open conversations. */
export function readConversationLinks(conversations: JsonReader): readonly Link[] {
  return conversations.links('conversation');
}

/** Escaped text, with a plus sign for a blank (web-interface.md, section 8, "Data URIs"). */
export function textOfDataUri(uri: string): string {
  const [, data] = /^data:text\/(?:plain|html)(?:;[^,]*)?,(.*)$/is.exec(uri) ?? [];
  if (data === undefined) throw new UnexpectedAnswer('a message is not text');
  try {
    return decodeURIComponent(data.replaceAll('+', ' '));
  } catch (cause) {
    throw new UnexpectedAnswer('a message is not escaped as it should be', { cause });
  }
}

function readAnswers(invitation: JsonReader): IncomingInvitation['answers'] {
  const accept = invitation.optionalLink('accept');
  return accept === undefined ? undefined : { accept, decline: invitation.link('decline') };
}
