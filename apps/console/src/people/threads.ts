import type { IncomingInvitation, Invitation, Message, Messaging, SessionEvent } from '../web-interface/index.js';
import { failureWords } from './display-words.js';
import { texts } from '../texts/people.js';

/** One line of a conversation. */
export interface Line {
  /** The address of the message; before it has one, the id of the operation that sends it. */
  readonly id: string;
  readonly operationId?: string;
  readonly isOwn: boolean;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Of own messages: `waiting` until the other person has joined. */
  readonly delivery?: 'waiting' | 'sending' | 'delivered' | 'failed';
  /** Why it failed, for the user. */
  readonly failure?: string;
}

/** Everything between the user and one other person, over several conversations. */
export interface Thread {
  readonly uri: string;
  readonly name: string;
  readonly lines: readonly Line[];
  /** It was started before this page was opened; earlier messages are not known here. */
  readonly isResumed?: boolean;
  readonly phase: 'none' | 'inviting' | 'invited' | 'open';
  readonly conversation?: string;
  /** The possible actions of the conversation. */
  readonly messaging?: Messaging;
  /** An invitation without an answer. */
  readonly invitation?: IncomingInvitation;
  readonly isTyping: boolean;
  readonly unread: number;
}

export interface Person {
  readonly uri: string;
  readonly name: string;
}

export function newThread({ uri, name }: Person): Thread {
  return { uri, name, lines: [], phase: 'none', isTyping: false, unread: 0 };
}

/** Older lines are dropped. */
const MOST_LINES = 500;

/** All threads, the one changed last first. Immutable: an event returns a new value. */
export class Threads {
  constructor(
    readonly all: readonly Thread[] = [],
    /** Outcomes of messages that were confirmed before their address was known. */
    private readonly outcomes: ReadonlyMap<string, Partial<Line>> = new Map(),
  ) {}

  with(uri: string): Thread | undefined {
    return this.all.find((thread) => thread.uri === uri);
  }

  at(conversation: string): Thread | undefined {
    return this.all.find((thread) => thread.conversation === conversation);
  }

  /** Changes the thread with a person, and creates it if there is none. */
  change(person: Person, change: (thread: Thread) => Thread): Threads {
    const changed = change(this.with(person.uri) ?? newThread(person));
    const others = this.all.filter(({ uri }) => uri !== person.uri);
    const isNews = changed.lines.length > (this.with(person.uri)?.lines.length ?? -1);
    if (isNews) return new Threads([changed, ...others], this.outcomes);
    return new Threads(
      this.all.map((thread) => (thread.uri === person.uri ? changed : thread)),
      this.outcomes,
    );
  }

  /** Adds a message that is being sent. */
  addOutgoing(person: Person, operationId: string, text: string, at: number): Threads {
    return this.change(person, (thread) => {
      const delivery = thread.phase === 'open' || thread.phase === 'none' ? 'sending' : 'waiting';
      const line: Line = { id: operationId, operationId, isOwn: true, text, at, delivery };
      const phase = thread.phase === 'none' ? 'inviting' : thread.phase;
      return appended({ ...thread, phase }, line);
    });
  }

  /** The server has accepted the message, with this address. */
  sent(uri: string, operationId: string, href: string): Threads {
    const thread = this.with(uri);
    if (thread === undefined) return this;
    const outcome = this.outcomes.get(href) ?? {};
    return this.change(thread, (before) =>
      changedLines(before, (line) => (line.operationId === operationId ? { ...line, id: href, ...outcome } : line)),
    );
  }

  /** A message could not be sent; if it was the invitation, the queued ones fail too. */
  failed(uri: string, operationId: string, failure: string): Threads {
    const thread = this.with(uri);
    return thread === undefined ? this : this.change(thread, (before) => refused(before, operationId, failure));
  }

  read(uri: string): Threads {
    const thread = this.with(uri);
    return thread === undefined || thread.unread === 0 ? this : this.change(thread, (each) => ({ ...each, unread: 0 }));
  }

  /** Applies one event. */
  onEvent(event: SessionEvent): Threads {
    const { resource } = event;
    if (event.in?.rel === 'typingParticipants') return this.typing(event.sender.href, event.type === 'added');
    if (event.link.rel === 'conversation' && event.type === 'deleted') return this.over(event.link.href);
    switch (resource?.rel) {
      case 'messagingInvitation':
        return this.invited(resource, event);
      case 'messaging':
        return this.messaging(resource);
      case 'message':
        return resource.direction === 'Incoming'
          ? this.received(resource, event.sender.href)
          : this.confirmed(resource, event);
      default:
        return this;
    }
  }

  /** Adds a conversation that was started before the page was loaded. */
  adopt(person: Person, messaging: Messaging): Threads {
    const { conversation } = messaging;
    const phase = messaging.state === 'Connected' ? 'open' : 'none';
    return this.change(person, (thread) => {
      const isResumed = thread.isResumed === true || thread.lines.length === 0;
      return { ...thread, conversation, messaging, phase, isResumed };
    });
  }

  /** After the events have started over: conversations that are not open any more are over. */
  keepOpen(conversations: ReadonlySet<string>): Threads {
    return this.all.reduce<Threads>((threads, { conversation, phase }) => {
      const isOver = conversation !== undefined && phase !== 'none' && !conversations.has(conversation);
      return isOver ? threads.over(conversation) : threads;
    }, this);
  }

  private invited(invitation: Invitation, { type, outcome, reason }: SessionEvent): Threads {
    if (invitation.direction === 'Outgoing') return this.inviting(invitation, { type, outcome, reason });
    const { from, conversation, answers, text = '' } = invitation;
    if (type === 'started' && answers !== undefined) {
      return this.change(from, (thread) => ({ ...thread, conversation, phase: 'invited', invitation }));
    }
    const thread = this.at(conversation);
    if (thread?.invitation === undefined) return this;
    const isMissed =
      outcome === 'Failure' && reason?.subcode !== 'ConnectedElsewhere' && reason?.subcode !== 'Declined';
    const missed: Line = { id: invitation.href, isOwn: false, text, at: Date.now(), failure: texts.missed };
    return this.change(thread, ({ invitation: _answered, ...rest }) => {
      const closed = { ...rest, phase: outcome === 'Failure' ? ('none' as const) : rest.phase };
      return isMissed && text !== '' ? appended({ ...closed, unread: closed.unread + 1 }, missed) : closed;
    });
  }

  private inviting(
    { operationId, conversation }: Extract<Invitation, { direction: 'Outgoing' }>,
    {
      type,
      outcome,
      reason,
    }: Pick<SessionEvent, 'type'> & { outcome: SessionEvent['outcome']; reason: SessionEvent['reason'] },
  ): Threads {
    const thread = this.all.find(({ lines }) => lines.some((line) => line.operationId === operationId));
    // Sent in another tab, which has its text.
    if (operationId === undefined || thread === undefined) return this;
    return this.change(thread, (before) => {
      if (type === 'started') return { ...before, conversation, phase: 'inviting' };
      if (outcome === 'Success') {
        return changedLines(before, (line) =>
          line.operationId === operationId ? { ...line, delivery: 'delivered' } : line,
        );
      }
      return refused(before, operationId, failureWords(reason, before.name));
    });
  }

  private messaging(messaging: Messaging): Threads {
    const thread = this.at(messaging.conversation);
    if (thread === undefined) return this;
    if (messaging.state === 'Disconnected') return this.over(messaging.conversation);
    const isOpen = messaging.state === 'Connected';
    return this.change(thread, (before) => ({ ...before, messaging, phase: isOpen ? 'open' : before.phase }));
  }

  private over(conversation: string): Threads {
    const thread = this.at(conversation);
    if (thread === undefined) return this;
    return this.change(thread, ({ conversation: _over, messaging: _gone, invitation: _unanswered, ...rest }) => ({
      ...rest,
      phase: 'none',
      isTyping: false,
    }));
  }

  private received({ href, text = '', at }: Message, conversation: string): Threads {
    const thread = this.at(conversation);
    if (thread === undefined || thread.lines.some(({ id }) => id === href)) return this;
    const line: Line = { id: href, isOwn: false, text, at };
    return this.change(thread, (before) => appended({ ...before, isTyping: false, unread: before.unread + 1 }, line));
  }

  private confirmed({ href }: Message, { outcome, reason }: SessionEvent): Threads {
    const thread = this.all.find(({ lines }) => lines.some(({ id }) => id === href));
    const failure = failureWords(reason, thread?.name ?? texts.otherPerson);
    const what: Partial<Line> = outcome === 'Success' ? { delivery: 'delivered' } : { delivery: 'failed', failure };
    if (thread === undefined)
      return new Threads(this.all, new Map([...[...this.outcomes].slice(-MOST_LINES), [href, what]]));
    return this.change(thread, (before) =>
      changedLines(before, (line) => (line.id === href ? { ...line, ...what } : line)),
    );
  }

  private typing(conversation: string, isTyping: boolean): Threads {
    const thread = this.at(conversation);
    return thread === undefined ? this : this.change(thread, (before) => ({ ...before, isTyping }));
  }
}

/** The invitation failed, and so do the queued messages. */
function refused(thread: Thread, operationId: string, failure: string): Thread {
  const wasFirst = thread.phase === 'inviting';
  const isLost = ({ delivery, operationId: own }: Line): boolean =>
    own === operationId || (wasFirst && delivery === 'waiting');
  return changedLines({ ...thread, phase: wasFirst ? 'none' : thread.phase }, (line) =>
    isLost(line) ? { ...line, delivery: 'failed', failure } : line,
  );
}

function changedLines(thread: Thread, change: (line: Line) => Line): Thread {
  return { ...thread, lines: thread.lines.map((line) => change(line)) };
}

function appended(thread: Thread, line: Line): Thread {
  return { ...thread, lines: [...thread.lines, line].slice(-MOST_LINES) };
}
