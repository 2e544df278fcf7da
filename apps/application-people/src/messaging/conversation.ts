import type { MessageFormat } from '../presence-store/presence-record.js';

export const IMPORTANCES = ['Normal', 'Urgent', 'Emergency'] as const;
export type Importance = (typeof IMPORTANCES)[number];

/** What somebody says. */
export interface Content {
  readonly format: MessageFormat;
  readonly text: string;
}

/** One of the two people of a conversation. */
export interface Party {
  /** SIP address, `sip:user@domain`. */
  readonly uri: string;
  readonly name: string;
  /** Undefined for an address that nobody has. */
  readonly username: string | undefined;
}

/** Why something did not come about (web-interface.md, section 8, "Failure reasons"). */
export interface Reason {
  readonly code: string;
  readonly subcode: string;
}

/** A message that its reader's client has not fetched yet. */
export interface MessageUnderWay {
  readonly number: number;
  /** Application of whoever wrote it. */
  readonly from: string;
  readonly to: string;
  /** When it has failed, milliseconds since 1970. */
  readonly until: number;
  /** Bytes of its text. */
  readonly size: number;
}

/**
 * A conversation of two people, from the invitation to its end: all that there is to know about it, as it is stored.
 * Every change makes a new one, written with the revision of the old, so that of two that exclude each other, an
 * acceptance and a cancellation for example, one has happened. Times are milliseconds since 1970.
 */
export interface Conversation {
  readonly id: string;
  readonly threadId: string;
  readonly operationId?: string;
  readonly subject?: string;
  readonly importance: Importance;
  /** Said with the invitation. */
  readonly firstMessage: Content | null;
  readonly caller: Party;
  /** Application that invited. */
  readonly callerAt: string;
  /** What the caller's client can read; once it is accepted, what both can. */
  readonly formats: readonly MessageFormat[];
  readonly callee: Party;
  /** Applications that were invited, the caller's choice of person being all of that person's. */
  readonly invited: readonly string[];
  /** Those of them that have not answered. */
  readonly ringing: readonly string[];
  /** The one that accepted first. */
  readonly calleeAt: string | null;
  readonly phase: 'ringing' | 'connected' | 'ended';
  /** How the invitation failed; null while it rings and when it was accepted. */
  readonly failure: InvitationFailure | null;
  readonly ringsUntil: number;
  /** When somebody last said something, or it changed its phase. */
  readonly usedAt: number;
  /** How many messages there were; each has its number. */
  readonly messages: number;
  readonly underWay: readonly MessageUnderWay[];
  /** The newest operations of senders, so that one is not done twice. */
  readonly sent: readonly { readonly from: string; readonly operationId: string; readonly number: number }[];
  /** Who is writing, by application, and until when that is believed. */
  readonly typing: readonly { readonly at: string; readonly until: number }[];
}

export type InvitationFailure = 'Cancelled' | 'Declined' | 'Failed';

/** Times in milliseconds. */
export interface MessagingRules {
  /** How long an invitation waits for an answer. */
  readonly ringMs: number;
  /** How long a message waits to be fetched. */
  readonly pickUpMs: number;
  /** For how long somebody is said to be writing after a client has said so. */
  readonly typingMs: number;
  /** After how long without a word a conversation ends by itself. */
  readonly idleMs: number;
  /** For how long after its end an invitation can still be read. */
  readonly lingerMs: number;
  /** Messages under way in one conversation, and bytes of all their texts. */
  readonly underWay: number;
  readonly underWayBytes: number;
}

export const MESSAGING_RULES: MessagingRules = {
  ringMs: 30_000,
  pickUpMs: 30_000,
  typingMs: 10_000,
  idleMs: 24 * 60 * 60 * 1000,
  lingerMs: 5 * 60 * 1000,
  underWay: 50,
  underWayBytes: 32_768,
};

/** What a session is told of a change, before it is put into the words of the interface. */
export type Notice = { readonly to: string } & (
  | { readonly kind: 'inviting' | 'invited' | 'connected' | 'answeredElsewhere' }
  /** Of the invitation when it never was connected, with the reason. */
  | { readonly kind: 'over'; readonly reason: Reason | undefined }
  | {
      readonly kind: 'received';
      readonly from: string;
      readonly number: number;
      readonly at: number;
      readonly content: Content;
    }
  /** The sender's message has arrived; with a reason it has not. */
  | { readonly kind: 'sent'; readonly number: number; readonly at: number; readonly reason: Reason | undefined }
  | { readonly kind: 'typing' | 'typingOver' }
);

/** A change of a conversation and who is told what, in order. */
export interface Step {
  readonly conversation: Conversation;
  readonly notices: readonly Notice[];
}

/** Nothing has changed, because it was like that already. */
export function unchanged(conversation: Conversation): Step {
  return { conversation, notices: [] };
}

export type Standing =
  /** Has invited, and waits for the answer. */
  | 'inviting'
  /** Has been invited and may answer. */
  | 'invited'
  | 'connected'
  /** Was invited, and another one of the same person has accepted. */
  | 'answeredElsewhere'
  | 'over';

/** How an application stands to a conversation; undefined for one that has nothing to do with it. */
export function standingOf(conversation: Conversation, application: string): Standing | undefined {
  const { phase, callerAt, calleeAt, invited, ringing } = conversation;
  const isCaller = application === callerAt;
  if (!isCaller && !invited.includes(application)) return undefined;
  if (phase === 'ringing') return isCaller ? 'inviting' : ringing.includes(application) ? 'invited' : 'over';
  if (!isCaller && calleeAt !== null && application !== calleeAt) return 'answeredElsewhere';
  return phase === 'connected' ? 'connected' : 'over';
}

/** Whether the application has anything to do in it any more. */
export function isOpenTo(conversation: Conversation, application: string): boolean {
  const standing = standingOf(conversation, application);
  return standing === 'inviting' || standing === 'invited' || standing === 'connected';
}

/** Who owns the application, and who is at the other end. */
export function partiesOf(
  { caller, callee, callerAt }: Conversation,
  application: string,
): { own: Party; other: Party } {
  return application === callerAt ? { own: caller, other: callee } : { own: callee, other: caller };
}

/** When something has to be done about it though nobody does anything. */
export function dueAt({ phase, ringsUntil, underWay, typing, usedAt }: Conversation, rules: MessagingRules): number {
  const ofPhase = { ringing: ringsUntil, connected: usedAt + rules.idleMs, ended: usedAt + rules.lingerMs };
  return Math.min(ofPhase[phase], ...underWay.map(({ until }) => until), ...typing.map(({ until }) => until));
}
