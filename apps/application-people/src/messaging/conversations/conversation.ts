import type { MessageFormat } from '../../presence-store/presence-record.js';

export const IMPORTANCES = ['Normal', 'Urgent', 'Emergency'] as const;
export type Importance = (typeof IMPORTANCES)[number];

/** The text of a message. */
export interface Content {
  readonly format: MessageFormat;
  readonly text: string;
}

/** One of the two people of a conversation. */
export interface ConversationParty {
  /** SIP address, `sip:user@domain`. */
  readonly uri: string;
  readonly name: string;
  /** Undefined for an address that is not in the directory. */
  readonly username: string | undefined;
  /** URI of the meeting that admitted this guest; undefined for people of the directory. */
  readonly guestOf?: string;
}

/** Why an operation failed (web-interface.md, section 8, "Failure reasons"). */
export interface FailureReason {
  readonly code: string;
  readonly subcode: string;
}

/** A message that the reader's client has not fetched yet. */
export interface MessageUnderWay {
  readonly number: number;
  /** Application of the author. */
  readonly from: string;
  readonly to: string;
  /** When it counts as failed, milliseconds since 1970. */
  readonly until: number;
  /** Bytes of its text. */
  readonly size: number;
}

/** Identifies a sent message for requests that repeat it. */
export interface SentOperation {
  readonly from: string;
  readonly operationId: string;
  /** Hash of the text; entries of earlier versions have none. */
  readonly content?: string;
  readonly number: number;
}

/**
 * A conversation of two people, from the invitation to its end: its whole state, as it is stored. Every change makes a
 * new state, written with the revision of the old one, so that of two changes that exclude each other, for example an
 * acceptance and a cancellation, only one happens. Times are milliseconds since 1970.
 */
export interface Conversation {
  readonly id: string;
  readonly threadId: string;
  readonly operationId?: string;
  readonly subject?: string;
  readonly importance: Importance;
  /** The message that was sent with the invitation, while it rings; null later, and without one. */
  readonly firstMessage: Content | null;
  readonly caller: ConversationParty;
  /** Application that invited. */
  readonly callerAt: string;
  /** Formats that the caller's client can read; after the acceptance, those that both clients can read. */
  readonly formats: readonly MessageFormat[];
  readonly callee: ConversationParty;
  /** Applications that were invited: all applications of the person whom the caller chose. */
  readonly invited: readonly string[];
  /** Those of them that have not responded. */
  readonly ringing: readonly string[];
  /** The one that accepted first. */
  readonly calleeAt: string | null;
  readonly phase: 'ringing' | 'connected' | 'ended';
  /** How the invitation failed; null while it rings and after it was accepted. */
  readonly failure: InvitationFailure | null;
  readonly ringsUntil: number;
  /** When a message was last sent, or the phase changed. */
  readonly usedAt: number;
  /** The number of messages so far; each has its number. */
  readonly messages: number;
  readonly underWay: readonly MessageUnderWay[];
  /** The newest operations of senders, so that none is processed twice. */
  readonly sent: readonly SentOperation[];
  /** Who is typing, by application, and until when this is assumed. */
  readonly typing: readonly { readonly at: string; readonly until: number }[];
}

export type InvitationFailure = 'Cancelled' | 'Declined' | 'Failed';

/** Times in milliseconds. */
export interface MessagingRules {
  /** How long an invitation waits for an answer. */
  readonly ringMs: number;
  /** How long a message waits to be fetched. */
  readonly pickUpMs: number;
  /** How long a person is shown as typing after a notification from their client. */
  readonly typingMs: number;
  /** After this time without a message a conversation ends by itself. */
  readonly idleMs: number;
  /** How long an invitation can still be read after its end. */
  readonly lingerMs: number;
  /** How often a conversation with a guest is checked for the end of the meeting. */
  readonly guestCheckMs: number;
  /** The limits of messages under way in one conversation: their number, and the bytes of all their texts. */
  readonly underWay: number;
  readonly underWayBytes: number;
}

export const MESSAGING_RULES: MessagingRules = {
  ringMs: 30_000,
  pickUpMs: 30_000,
  typingMs: 10_000,
  idleMs: 24 * 60 * 60 * 1000,
  lingerMs: 5 * 60 * 1000,
  guestCheckMs: 5_000,
  underWay: 50,
  underWayBytes: 32_768,
};

/** A change that a session is notified of, before it is translated into events of the interface. */
export type Notice = { readonly to: string } & (
  | { readonly kind: 'inviting' | 'invited' | 'connected' | 'answeredElsewhere' }
  /** The end of the conversation, or of an invitation that was never accepted, with the reason. */
  | { readonly kind: 'over'; readonly reason: FailureReason | undefined }
  | {
      readonly kind: 'received';
      readonly from: string;
      readonly number: number;
      readonly at: number;
      readonly content: Content;
    }
  /** The sender's message was fetched; with a reason, it was not. */
  | { readonly kind: 'sent'; readonly number: number; readonly at: number; readonly reason: FailureReason | undefined }
  | { readonly kind: 'typing' | 'typingOver' }
);

/** A change of a conversation, and the notices about it, in order. */
export interface ConversationStep {
  readonly conversation: Conversation;
  readonly notices: readonly Notice[];
}

/** The step of an operation that has already been done. */
export function unchanged(conversation: Conversation): ConversationStep {
  return { conversation, notices: [] };
}

export type ConversationStatus =
  /** Has invited, and waits for the response. */
  | 'inviting'
  /** Has been invited and may respond. */
  | 'invited'
  | 'connected'
  /** Was invited, but another application of the same person has accepted. */
  | 'answeredElsewhere'
  | 'over';

/** The state of the conversation for an application; undefined for an application that is not part of it. */
export function conversationStatus(conversation: Conversation, application: string): ConversationStatus | undefined {
  const { phase, callerAt, calleeAt, invited, ringing } = conversation;
  const isCaller = application === callerAt;
  if (!isCaller && !invited.includes(application)) return undefined;
  if (phase === 'ringing') return isCaller ? 'inviting' : ringing.includes(application) ? 'invited' : 'over';
  if (!isCaller && calleeAt !== null && application !== calleeAt) return 'answeredElsewhere';
  return phase === 'connected' ? 'connected' : 'over';
}

/** Whether the conversation is still open for the application. */
export function isOpenTo(conversation: Conversation, application: string): boolean {
  const status = conversationStatus(conversation, application);
  return status === 'inviting' || status === 'invited' || status === 'connected';
}

/** Whether it is over for both. */
export function isOver({ phase }: Conversation): boolean {
  return phase === 'ended';
}

/** The owner of the application, and the person at the other end. */
export function conversationParties(
  { caller, callee, callerAt }: Conversation,
  application: string,
): { own: ConversationParty; other: ConversationParty } {
  return application === callerAt ? { own: caller, other: callee } : { own: callee, other: caller };
}

/** When the conversation has to be processed even without a request. */
export function conversationDueAt(
  { phase, ringsUntil, underWay, typing, usedAt }: Conversation,
  rules: MessagingRules,
): number {
  const ofPhase = { ringing: ringsUntil, connected: usedAt + rules.idleMs, ended: usedAt + rules.lingerMs };
  return Math.min(ofPhase[phase], ...underWay.map(({ until }) => until), ...typing.map(({ until }) => until));
}

/** When the meeting of a guest has to be checked: its end changes nothing in the conversation. */
export function guestCheckDueAt(conversation: Conversation, now: number, rules: MessagingRules): number {
  const hasGuest = conversation.caller.guestOf !== undefined && !isOver(conversation);
  return hasGuest ? now + rules.guestCheckMs : Number.POSITIVE_INFINITY;
}
