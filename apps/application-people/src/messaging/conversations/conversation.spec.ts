import { array, assert, constantFrom, nat, property, record, type Arbitrary } from 'fast-check';
import {
  conversationDueAt,
  MESSAGING_RULES,
  conversationStatus,
  type Conversation,
  type Notice,
  type ConversationStep,
} from './conversation.js';
import { BY_THE_PERSON, declineFor } from '../decline-reasons.js';
import { leave, applyTimeouts, send, settleMessage, stop, type } from './dialogue.js';
import { accept, decline, invite, REASONS, type NewConversation } from '../invitation.js';

const T = 1_700_000_000_000;
const RULES = { ...MESSAGING_RULES, underWay: 3 };
const LOCAL = { scope: 'Local', subcode: 'Declined' } as const;
const CALLER = 'alice';
const CALLEES = ['phone', 'tablet', 'desk'] as const;
const ALL = [CALLER, ...CALLEES, 'uninvited'];

const wanted: NewConversation = {
  id: 'c1',
  threadId: 't',
  importance: 'Normal',
  firstMessage: { format: 'Plain', text: 'hi' },
  caller: { uri: 'sip:alice@x.test', name: 'Alice', username: 'alice@x.test' },
  callerAt: CALLER,
  formats: ['Plain', 'Html'],
  callee: { uri: 'sip:bob@x.test', name: 'Bob', username: 'bob@x.test' },
};

function ringing(applications: readonly string[] = CALLEES): ConversationStep {
  return invite(wanted, { applications, failure: undefined }, T, RULES);
}

function noticeKinds({ notices }: ConversationStep): readonly string[] {
  return notices.map(({ to, kind }) => `${to} ${kind}`);
}

function step(outcome: ConversationStep | string): ConversationStep {
  if (typeof outcome === 'string') throw new Error(`nothing was changed: ${outcome}`);
  return outcome;
}

describe('an invitation', () => {
  it('rings at every application, and connects the first that accepts', () => {
    const { conversation, notices } = ringing();
    expect(noticeKinds({ conversation, notices })).toEqual([
      'alice inviting',
      'phone invited',
      'tablet invited',
      'desk invited',
    ]);
    const accepted = step(accept(conversation, 'tablet', ['Plain'], T + 1));
    expect(noticeKinds(accepted)).toEqual([
      'phone answeredElsewhere',
      'desk answeredElsewhere',
      'alice connected',
      'tablet connected',
      'tablet received',
    ]);
    expect(accepted.conversation.formats).toEqual(['Plain']);
    expect(ALL.map((each) => conversationStatus(accepted.conversation, each))).toEqual([
      'connected',
      'answeredElsewhere',
      'connected',
      'answeredElsewhere',
      undefined,
    ]);
    expect(accept(accepted.conversation, 'phone', [], T)).toBe('over');
    expect(step(accept(accepted.conversation, 'tablet', [], T)).conversation).toBe(accepted.conversation);
  });

  it('keeps ringing elsewhere when one client declines for itself, until none is left', () => {
    const one = step(decline(ringing().conversation, 'phone', LOCAL, T));
    expect([noticeKinds(one), one.conversation.phase]).toEqual([['phone over'], 'ringing']);
    expect(decline(one.conversation, 'phone', LOCAL, T)).toBe('over');
    const two = step(decline(one.conversation, 'tablet', LOCAL, T));
    const three = step(decline(two.conversation, 'desk', LOCAL, T));
    expect([noticeKinds(three), three.conversation.failure]).toEqual([['alice over', 'desk over'], 'Declined']);
  });

  it('fails for all when the person declines', () => {
    const declined = step(decline(ringing().conversation, 'phone', BY_THE_PERSON, T));
    expect(noticeKinds(declined)).toEqual(['alice over', 'phone over', 'tablet over', 'desk over']);
  });

  it('tells the caller the reason of the client that declines last', () => {
    const busy = declineFor('Busy') ?? BY_THE_PERSON;
    const [toCaller, toPhone] = step(decline(ringing(['phone']).conversation, 'phone', busy, T)).notices;
    expect(toCaller).toEqual({ kind: 'over', to: 'alice', reason: REASONS.busy });
    expect(toPhone).toEqual({ kind: 'over', to: 'phone', reason: REASONS.localDeclined });
  });

  it('fails at once when no application can be reached, or when the last one ends', () => {
    const failed = invite(wanted, { applications: [], failure: REASONS.busy }, T, RULES);
    expect([noticeKinds(failed), failed.conversation.phase]).toEqual([['alice inviting', 'alice over'], 'ended']);
    const left = leave(ringing(['phone']).conversation, 'phone', T);
    expect(left.notices).toEqual([{ kind: 'over', to: 'alice', reason: REASONS.unavailable }]);
  });
});

describe('a conversation', () => {
  const { conversation } = step(accept(ringing().conversation, 'phone', ['Plain', 'Html'], T));
  const sendFrom = (from: string, now = T): ReturnType<typeof send> =>
    send(conversation, from, { content: { format: 'Plain', text: 'x' }, operationId: 'o' }, now, RULES);

  it('is between the two connected applications', () => {
    expect(noticeKinds(step(sendFrom('alice')))).toEqual(['phone received']);
    expect(noticeKinds(step(sendFrom('phone')))).toEqual(['alice received']);
    expect([sendFrom('tablet'), sendFrom('uninvited'), stop(conversation, 'tablet', T)]).toEqual([
      'over',
      'over',
      'over',
    ]);
  });

  it('ends by itself after a long time without messages', () => {
    const quiet = T + RULES.idleMs;
    expect(applyTimeouts(conversation, quiet - 1, RULES).notices).toEqual([]);
    expect(noticeKinds(applyTimeouts(conversation, quiet, RULES))).toEqual(['alice over', 'phone over']);
  });

  it('accepts messages up to the limit of messages under way', () => {
    let current = conversation;
    for (const operationId of ['1', '2', '3']) {
      current = step(
        send(current, 'alice', { content: { format: 'Plain', text: 'x' }, operationId }, T, RULES),
      ).conversation;
    }
    const more = { content: { format: 'Plain', text: 'x' } as const, operationId: '4' };
    expect(send(current, 'alice', more, T, RULES)).toBe('full');
    expect(step(send(current, 'alice', { ...more, operationId: '3' }, T, RULES)).conversation).toBe(current);
    current = settleMessage(current, 2, true, T).conversation;
    expect(step(send(current, 'alice', more, T, RULES)).conversation.messages).toBe(5);
  });
});

/** One action of a participant, based on the state that they saw last: it counts only if no one else was faster. */
type Move = (conversation: Conversation, now: number) => ConversationStep | string;

const moves: Readonly<Record<string, (application: string, number: number) => Move>> = {
  accept: (application) => (conversation, now) => accept(conversation, application, ['Plain'], now),
  decline: (application, number) => (conversation, now) =>
    decline(conversation, application, number % 2 === 0 ? LOCAL : BY_THE_PERSON, now),
  stop: (application) => (conversation, now) => stop(conversation, application, now),
  leave: (application) => (conversation, now) => leave(conversation, application, now),
  type: (application) => (conversation, now) => type(conversation, application, now, RULES),
  send: (application, number) => (conversation, now) => {
    const content = { format: 'Plain', text: `${number}` } as const;
    return send(conversation, application, { content, operationId: `${number % 4}` }, now, RULES);
  },
  fetched: (_application, number) => (conversation, now) =>
    settleMessage(conversation, number % 5, number % 2 === 0, now),
  pass: () => (conversation, now) => applyTimeouts(conversation, now, RULES),
};

const happenings = array(
  record({
    move: constantFrom(...Object.keys(moves)),
    application: constantFrom(...ALL),
    number: nat(20),
    afterMs: constantFrom(0, 0, 0, 1_000, 12_000),
  }),
  { maxLength: 40 },
);

describe('for any sequence of operations', () => {
  /** Everything that one application was notified of, in order. */
  function play(all: typeof happenings extends Arbitrary<infer T> ? T : never): {
    states: readonly Conversation[];
    notices: readonly Notice[];
  } {
    const begun = ringing();
    const states = [begun.conversation];
    const notices = [...begun.notices];
    let now = T;
    for (const { move, application, number, afterMs } of all) {
      now += afterMs;
      const current = states.at(-1) ?? begun.conversation;
      const outcome = moves[move]?.(application, number)(current, now) ?? 'unknown';
      if (typeof outcome === 'string') continue;
      states.push(outcome.conversation);
      notices.push(...outcome.notices);
    }
    return { states, notices };
  }

  const kindsTo = (notices: readonly Notice[], to: string): readonly Notice['kind'][] =>
    notices.filter((notice) => notice.to === to).map(({ kind }) => kind);

  it('at most one application accepts, and an ended conversation stays ended', () => {
    assert(
      property(happenings, (all) => {
        const { states } = play(all);
        const winners = new Set(states.flatMap(({ calleeAt }) => calleeAt ?? []));
        expect(winners.size).toBeLessThanOrEqual(1);
        const phases = states.map(({ phase }) => ['ringing', 'connected', 'ended'].indexOf(phase));
        expect(phases).toEqual(phases.toSorted((a, b) => a - b));
        for (const { phase, calleeAt, failure, ringing: rings } of states) {
          expect(phase === 'connected').toBe(calleeAt !== null && failure === null && phase !== 'ended');
          expect(failure !== null && calleeAt !== null).toBe(false);
          expect(rings.length > 0).toBe(phase === 'ringing');
        }
      }),
    );
  });

  it('each session receives a consistent sequence of events', () => {
    assert(
      property(happenings, (all) => {
        const { states, notices } = play(all);
        expect(kindsTo(notices, 'uninvited')).toEqual([]);
        for (const application of [CALLER, ...CALLEES]) {
          const story = kindsTo(notices, application)
            .filter((kind) => kind !== 'sent')
            .map((kind) => (kind === 'inviting' ? 'invited' : kind))
            .join(' ');
          // An application that ends itself receives nothing more, not even the end.
          expect(story).toMatch(/^invited( connected( received| typing| typingOver)*)?( over| answeredElsewhere)?$/);
        }
        const last = states.at(-1);
        const stillIn = last?.phase === 'connected' ? [last.callerAt, last.calleeAt] : [];
        for (const application of stillIn) expect(kindsTo(notices, application ?? '')).not.toContain('over');
      }),
    );
  });

  it('each message is received once, has a unique number, and is confirmed at most once', () => {
    assert(
      property(happenings, (all) => {
        const { states, notices } = play(all);
        const received = notices.flatMap((notice) => (notice.kind === 'received' ? [notice.number] : []));
        const sent = notices.flatMap((notice) => (notice.kind === 'sent' ? [notice.number] : []));
        expect(received).toEqual(received.map((_number, index) => index + 1));
        expect(new Set(sent).size).toBe(sent.length);
        for (const { underWay, messages } of states) {
          expect(underWay.length).toBeLessThanOrEqual(RULES.underWay);
          expect(underWay.every(({ number }) => number <= messages)).toBe(true);
        }
      }),
    );
  });

  it('the conversation is processed before anything in it is overdue', () => {
    assert(
      property(happenings, (all) => {
        for (const conversation of play(all).states) {
          const due = conversationDueAt(conversation, RULES);
          expect(applyTimeouts(conversation, due - 1, RULES).conversation).toBe(conversation);
          expect(conversation.underWay.every(({ until }) => until >= due)).toBe(true);
        }
      }),
    );
  });
});
