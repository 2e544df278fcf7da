import type { MessageFormat } from '../presence-store/presence-record.js';
import {
  unchanged,
  type Conversation,
  type InvitationFailure,
  type MessagingRules,
  type Notice,
  type FailureReason,
  type ConversationStep,
} from './conversations/conversation.js';
import type { Decline } from './decline-reasons.js';

/** What is known about a conversation when the invitation is sent. */
export type NewConversation = Pick<
  Conversation,
  | 'id'
  | 'threadId'
  | 'operationId'
  | 'subject'
  | 'importance'
  | 'firstMessage'
  | 'caller'
  | 'callerAt'
  | 'formats'
  | 'callee'
>;

export const REASONS = {
  destinationNotFound: { code: 'NotFound', subcode: 'DestinationNotFound' },
  unavailable: { code: 'RemoteFailure', subcode: 'TemporarilyUnavailable' },
  doNotDisturb: { code: 'RemoteFailure', subcode: 'DoNotDisturb' },
  threadExists: { code: 'RemoteFailure', subcode: 'ThreadIdAlreadyExists' },
  busy: { code: 'RemoteFailure', subcode: 'Busy' },
  remoteTimeout: { code: 'RemoteFailure', subcode: 'Timeout' },
  remoteCanceled: { code: 'RemoteFailure', subcode: 'Canceled' },
  localTimeout: { code: 'LocalFailure', subcode: 'Timeout' },
  localCanceled: { code: 'LocalFailure', subcode: 'Canceled' },
  localDeclined: { code: 'LocalFailure', subcode: 'Declined' },
  connectedElsewhere: { code: 'Informational', subcode: 'ConnectedElsewhere' },
} as const satisfies Record<string, FailureReason>;

/**
 * Invites all applications in the list. With a reason it fails at once, and the caller receives the same notices as for
 * a later failure.
 */
export function invite(
  wanted: NewConversation,
  { applications, failure }: { applications: readonly string[]; failure: FailureReason | undefined },
  now: number,
  { ringMs }: MessagingRules,
): ConversationStep {
  const conversation: Conversation = {
    ...wanted,
    invited: applications,
    ringing: applications,
    calleeAt: null,
    phase: 'ringing',
    failure: null,
    ringsUntil: now + ringMs,
    usedAt: now,
    messages: 0,
    underWay: [],
    sent: [],
    typing: [],
  };
  const inviting: Notice = { kind: 'inviting', to: wanted.callerAt };
  if (failure !== undefined) {
    // Nobody was invited who could read the message.
    const failed = fail({ ...conversation, firstMessage: null }, 'Failed', now, { caller: failure, callee: undefined });
    return { ...failed, notices: [inviting, ...failed.notices] };
  }
  return { conversation, notices: [inviting, ...applications.map((to): Notice => ({ kind: 'invited', to }))] };
}

/** The first acceptance counts; `over` when this application cannot accept any more. */
export function accept(
  conversation: Conversation,
  application: string,
  formats: readonly MessageFormat[],
  now: number,
): ConversationStep | 'over' {
  const { phase, calleeAt, callerAt, ringing, firstMessage } = conversation;
  if (phase === 'connected' && calleeAt === application) return unchanged(conversation);
  if (phase !== 'ringing' || !ringing.includes(application)) return 'over';
  const notices: Notice[] = [
    ...ringing.filter((each) => each !== application).map((to): Notice => ({ kind: 'answeredElsewhere', to })),
    { kind: 'connected', to: callerAt },
    { kind: 'connected', to: application },
  ];
  if (firstMessage !== null)
    notices.push({ kind: 'received', from: callerAt, to: application, number: 1, at: now, content: firstMessage });
  return {
    conversation: {
      ...conversation,
      phase: 'connected',
      calleeAt: application,
      ringing: [],
      formats: conversation.formats.filter((format) => format === 'Plain' || formats.includes(format)),
      usedAt: now,
      messages: firstMessage === null ? 0 : 1,
    },
    notices,
  };
}

export function decline(
  conversation: Conversation,
  application: string,
  { scope, subcode }: Decline,
  now: number,
): ConversationStep | 'over' {
  const { phase, ringing } = conversation;
  if (phase !== 'ringing' || !ringing.includes(application)) return 'over';
  const others = ringing.filter((each) => each !== application);
  if (scope === 'Local' && others.length > 0) {
    const over: Notice = { kind: 'over', to: application, reason: REASONS.localDeclined };
    return { conversation: { ...conversation, ringing: others }, notices: [over] };
  }
  return fail(conversation, 'Declined', now, {
    caller: { code: 'RemoteFailure', subcode },
    callee: REASONS.localDeclined,
  });
}

/** The caller cancels the invitation. */
export function cancel(conversation: Conversation, now: number): ConversationStep {
  return fail(conversation, 'Cancelled', now, { caller: REASONS.localCanceled, callee: REASONS.remoteCanceled });
}

/** The invitation was not answered in time. */
export function timeOut(conversation: Conversation, now: number): ConversationStep {
  return fail(conversation, 'Failed', now, { caller: REASONS.remoteTimeout, callee: REASONS.localTimeout });
}

/** An invited application has ended: it cannot be notified, and cannot respond any more. */
export function withoutRinging(conversation: Conversation, application: string, now: number): ConversationStep {
  const ringing = conversation.ringing.filter((each) => each !== application);
  const rest = { ...conversation, ringing };
  return ringing.length > 0
    ? unchanged(rest)
    : fail(rest, 'Failed', now, { caller: REASONS.unavailable, callee: undefined });
}

function fail(
  conversation: Conversation,
  failure: InvitationFailure,
  now: number,
  { caller, callee }: { caller: FailureReason; callee: FailureReason | undefined },
): ConversationStep {
  const { callerAt, ringing } = conversation;
  return {
    conversation: { ...conversation, phase: 'ended', failure, ringing: [], usedAt: now },
    notices: [
      { kind: 'over', to: callerAt, reason: caller },
      ...ringing.map((to): Notice => ({ kind: 'over', to, reason: callee })),
    ],
  };
}
