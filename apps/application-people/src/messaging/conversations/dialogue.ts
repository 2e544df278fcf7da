import { createHash } from 'node:crypto';
import {
  unchanged,
  type Content,
  type Conversation,
  type MessagingRules,
  type Notice,
  type ConversationStep,
  type SentOperation,
} from './conversation.js';
import { BY_THE_PERSON } from '../decline-reasons.js';
import { cancel, decline, REASONS, timeOut, withoutRinging } from '../invitation.js';

export interface SentMessage extends ConversationStep {
  readonly number: number;
}

/** The number of operations of senders that are remembered. */
const OPERATIONS = 50;

/**
 * The message that a request repeats after a lost answer. Some clients use one id for all their messages (web-interface.md,
 * section 14): once an id has had several texts, only a message that is still under way is repeated.
 */
function repeatedMessage(
  { sent, underWay }: Conversation,
  application: string,
  { operationId, content }: { operationId: string | undefined; content: string },
): SentOperation | undefined {
  if (operationId === undefined) return undefined;
  const ofId = sent.filter((each) => each.from === application && each.operationId === operationId);
  const hasOneText = ofId.every((each) => each.content === content);
  return ofId.find((each) => {
    return each.content === content && (hasOneText || underWay.some(({ number }) => number === each.number));
  });
}

/**
 * Sends a message. `over` when there is no one at the other end, `full` when the reader has too many messages to fetch.
 * The same operation and text again is the same message, see {@link repeatedMessage}.
 */
export function send(
  conversation: Conversation,
  application: string,
  { content, operationId }: { content: Content; operationId: string | undefined },
  now: number,
  rules: MessagingRules,
): SentMessage | 'over' | 'full' {
  const hash = createHash('sha256').update(content.text).digest('base64url');
  const repeated = repeatedMessage(conversation, application, { operationId, content: hash });
  if (repeated !== undefined) return { ...unchanged(conversation), number: repeated.number };
  const to = otherEnd(conversation, application);
  if (to === undefined) return 'over';
  const size = Buffer.byteLength(content.text);
  const { underWay } = conversation;
  const bytes = underWay.reduce((sum, each) => sum + each.size, 0);
  if (underWay.length >= rules.underWay || (underWay.length > 0 && bytes + size > rules.underWayBytes)) return 'full';
  const number = conversation.messages + 1;
  const stopped = typingEnds(conversation, ({ at }) => at === application);
  const sent = operationId === undefined ? [] : [{ from: application, operationId, content: hash, number }];
  return {
    number,
    conversation: {
      ...stopped.conversation,
      messages: number,
      underWay: [...underWay, { number, from: application, to, until: now + rules.pickUpMs, size }],
      sent: [...conversation.sent, ...sent].slice(-OPERATIONS),
      usedAt: now,
    },
    notices: [...stopped.notices, { kind: 'received', from: application, to, number, at: now, content }],
  };
}

/** The reader's client has fetched a message, or has not done so in time. */
export function settleMessage(
  conversation: Conversation,
  number: number,
  isFetched: boolean,
  now: number,
): ConversationStep {
  const message = conversation.underWay.find((each) => each.number === number);
  if (message === undefined) return unchanged(conversation);
  const reason = isFetched ? undefined : REASONS.remoteTimeout;
  return {
    conversation: { ...conversation, underWay: conversation.underWay.filter((each) => each !== message) },
    notices: [{ kind: 'sent', to: message.from, number, at: now, reason }],
  };
}

/** Clients report typing repeatedly; the other side is notified once. */
export function type(
  conversation: Conversation,
  application: string,
  now: number,
  rules: MessagingRules,
): ConversationStep | 'over' {
  const to = otherEnd(conversation, application);
  if (to === undefined) return 'over';
  const others = conversation.typing.filter(({ at }) => at !== application);
  const isNew = others.length === conversation.typing.length;
  return {
    conversation: { ...conversation, typing: [...others, { at: application, until: now + rules.typingMs }] },
    notices: isNew ? [{ kind: 'typing', to }] : [],
  };
}

/** One of the two leaves: cancels its invitation, declines, or hangs up. */
export function stop(conversation: Conversation, application: string, now: number): ConversationStep | 'over' {
  const { phase, callerAt, calleeAt } = conversation;
  if (phase === 'ringing') {
    return application === callerAt
      ? cancel(conversation, now)
      : decline(conversation, application, BY_THE_PERSON, now);
  }
  const isIn = application === callerAt || application === calleeAt;
  return phase === 'connected' && isIn ? hangUp(conversation, now) : 'over';
}

/** What had let the caller in is over. */
export function endForBoth(conversation: Conversation, now: number): ConversationStep {
  const step = stop(conversation, conversation.callerAt, now);
  return step === 'over' ? unchanged(conversation) : step;
}

/** An application has ended, so it leaves the conversation, and is not notified. */
export function leave(conversation: Conversation, application: string, now: number): ConversationStep {
  if (conversation.ringing.includes(application)) return withoutRinging(conversation, application, now);
  const step = stop(conversation, application, now);
  if (step === 'over') return unchanged(conversation);
  return { ...step, notices: step.notices.filter(({ to }) => to !== application) };
}

/** Ends what has timed out, except messages under way. */
export function applyTimeouts(conversation: Conversation, now: number, rules: MessagingRules): ConversationStep {
  const { phase, ringsUntil, usedAt } = conversation;
  if (phase === 'ringing' && ringsUntil <= now) return timeOut(conversation, now);
  if (phase === 'connected' && usedAt + rules.idleMs <= now) return hangUp(conversation, now);
  return typingEnds(conversation, ({ until }) => until <= now);
}

function hangUp(conversation: Conversation, now: number): ConversationStep {
  const { callerAt, calleeAt } = conversation;
  const ends = [callerAt, calleeAt].filter((each) => each !== null);
  return {
    conversation: { ...conversation, phase: 'ended', usedAt: now, typing: [] },
    notices: ends.map((to): Notice => ({ kind: 'over', to, reason: undefined })),
  };
}

function typingEnds(
  conversation: Conversation,
  ends: (typing: Conversation['typing'][number]) => boolean,
): ConversationStep {
  const over = conversation.typing.filter((each) => ends(each));
  if (over.length === 0) return unchanged(conversation);
  return {
    conversation: { ...conversation, typing: conversation.typing.filter((each) => !over.includes(each)) },
    notices: over.flatMap(({ at }): Notice[] => {
      const to = otherEnd(conversation, at);
      return to === undefined ? [] : [{ kind: 'typingOver', to }];
    }),
  };
}

/** The application at the other end; undefined when the two are not connected. */
function otherEnd({ phase, callerAt, calleeAt }: Conversation, application: string): string | undefined {
  if (phase !== 'connected' || calleeAt === null) return undefined;
  if (application === callerAt) return calleeAt;
  return application === calleeAt ? callerAt : undefined;
}
