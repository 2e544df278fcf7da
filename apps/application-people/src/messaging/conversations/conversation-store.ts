import { KeyedMutex } from '@ringdown/concurrency';
import { outOfStep, type Bus } from '@ringdown/nats';
import { Bucket } from '@ringdown/nats/buckets';
import type { Logger } from '@ringdown/observability';
import type { SessionEvent } from '../../events/session-event.js';
import { storedParser } from '../../stored-entries/stored-parser.js';
import { isConversationId } from './conversation-id.js';
import {
  conversationDueAt,
  guestCheckDueAt,
  type Conversation,
  type MessagingRules,
  type Notice,
  type ConversationStep,
} from './conversation.js';
import type { StoredMessage } from '../message-store.js';

/** Events to append to the channels of an application. */
export interface OutboxEntry {
  /** Numbers what this conversation sends, from 1. */
  readonly sequence: number;
  readonly to: string;
  readonly username: string;
  readonly events: readonly SessionEvent[];
  /** Whether these events add the conversation to the application's list, or remove it. */
  readonly enters?: boolean;
  readonly leaves?: boolean;
  /** The message that the events are about. */
  readonly message?: StoredMessage;
}

/**
 * A conversation with the events that its sessions have not received yet: both are written at once, so neither is lost.
 */
export interface StoredConversation {
  readonly v: 1;
  readonly conversation: Conversation;
  readonly outbox: readonly OutboxEntry[];
  readonly sequence: number;
  /** When some replica has to process it again, milliseconds since 1970. */
  readonly due: number;
}

interface Rewritten<T> {
  readonly result: T;
  /** Left out when nothing has to be written. */
  readonly written?: StoredConversation;
}

export interface ConversationStoreOptions {
  readonly bus: Bus;
  readonly rules: MessagingRules;
  /** Translates a notice into events of the interface. */
  readonly eventsOf: (notice: Notice, conversation: Conversation) => readonly SessionEvent[];
  readonly now: () => number;
}

/** Longer than any conversation stays unchanged; the rest of a broken one expires by itself. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;
/** If a replica has not delivered its events by then, another one does. */
const DELIVERY_MS = 2_000;
/** More tries than replicas that could write the same conversation at once. */
const TRIES = 50;

const parse = storedParser<StoredConversation>('a stored conversation');

/** All conversations, in the store of the bus: `conversation.<id>`. */
export class ConversationStore {
  private readonly mutex = new KeyedMutex();

  private constructor(
    private readonly bucket: Bucket<StoredConversation>,
    private readonly options: ConversationStoreOptions,
  ) {}

  static async open(options: ConversationStoreOptions): Promise<ConversationStore> {
    const { bus } = options;
    return new ConversationStore(
      await Bucket.open({ bus, name: 'CONVERSATIONS', maxAgeMs: MAX_AGE_MS, parse }),
      options,
    );
  }

  /** Undefined also for a text that is not an id. */
  async read(id: string): Promise<StoredConversation | undefined> {
    if (!isConversationId(id)) return undefined;
    return (await this.bucket.getNewest(conversationKey(id)))?.value;
  }

  /** False when a conversation with this id exists. */
  create(step: ConversationStep): Promise<boolean> {
    return this.bucket.create(conversationKey(step.conversation.id), this.after(step, { outbox: [], sequence: 0 }));
  }

  /**
   * Changes a conversation by compare-and-set; `make` may be called several times. Undefined when the conversation does
   * not exist. If `make` returns something other than a step, that is returned and nothing is written.
   */
  change<O extends ConversationStep | string>(
    id: string,
    make: (conversation: Conversation) => O,
  ): Promise<O | undefined> {
    return this.rewrite(id, (stored): Rewritten<O> => {
      const result = make(stored.conversation);
      const outcome: ConversationStep | string = result;
      if (typeof outcome === 'string' || outcome.conversation === stored.conversation) return { result };
      return { result, written: this.after(outcome, stored) };
    });
  }

  /** Removes delivered events from the outbox, up to this number. */
  async delivered(id: string, sequence: number): Promise<void> {
    await this.rewrite(id, (stored) => {
      const outbox = stored.outbox.filter((each) => each.sequence > sequence);
      if (outbox.length === stored.outbox.length) return { result: undefined };
      return { result: undefined, written: this.withDue({ ...withoutFirstMessage(stored, outbox), outbox }) };
    });
  }

  /** The replicas that follow are not notified: each reads it once more when it is due, and then forgets it. */
  async delete(id: string): Promise<void> {
    await this.bucket.erase(conversationKey(id));
  }

  /** Reports when each conversation is due; undefined for one that a version before has deleted. Returns the function that unsubscribes. */
  follow(logger: Logger, onDue: (id: string, due: number | undefined) => void): () => void {
    return this.bucket.follow(logger, (key, value) => onDue(key.slice(PREFIX.length), value?.due));
  }

  /** In this process, work on one conversation runs one after another, to avoid writes that fail and are repeated. */
  private rewrite<T>(id: string, make: (stored: StoredConversation) => Rewritten<T>): Promise<T | undefined> {
    if (!isConversationId(id)) return Promise.resolve(undefined);
    return this.mutex.runExclusive(id, async () => {
      for (let tries = 0; tries < TRIES; tries++) {
        const entry = await this.bucket.getNewest(conversationKey(id));
        if (entry === undefined) return undefined;
        const { result, written } = make(entry.value);
        if (written === undefined || (await this.bucket.update(conversationKey(id), written, entry.revision)))
          return result;
        await outOfStep(tries);
      }
      throw new Error('could not write the conversation: other replicas keep changing it');
    });
  }

  private after(
    step: ConversationStep,
    { outbox, sequence }: Pick<StoredConversation, 'outbox' | 'sequence'>,
  ): StoredConversation {
    const { conversation, notices } = step;
    const added = notices.map((notice, index): OutboxEntry => ({
      ...messageIn(notice),
      sequence: sequence + index + 1,
      to: notice.to,
      username: conversationUsername(conversation, notice.to),
      events: this.options.eventsOf(notice, conversation),
      ...(notice.kind === 'inviting' || notice.kind === 'invited' ? { enters: true } : {}),
      ...(notice.kind === 'over' || notice.kind === 'answeredElsewhere' ? { leaves: true } : {}),
    }));
    return this.withDue({
      v: 1,
      conversation,
      outbox: [...outbox, ...added],
      sequence: sequence + added.length,
      due: 0,
    });
  }

  private withDue(stored: StoredConversation): StoredConversation {
    const { rules, now } = this.options;
    const { conversation, outbox } = stored;
    const time = now();
    const due = Math.min(conversationDueAt(conversation, rules), guestCheckDueAt(conversation, time, rules));
    return { ...stored, due: outbox.length === 0 ? due : Math.min(due, time + DELIVERY_MS) };
  }
}

/** Whoever has received the end or the acceptance of the invitation has its message, which may be large. */
function withoutFirstMessage(stored: StoredConversation, outbox: readonly OutboxEntry[]): StoredConversation {
  const { conversation } = stored;
  if (outbox.length > 0 || conversation.phase === 'ringing' || conversation.firstMessage === null) return stored;
  return { ...stored, conversation: { ...conversation, firstMessage: null } };
}

function conversationUsername({ caller, callerAt, callee }: Conversation, application: string): string {
  return (application === callerAt ? caller.username : callee.username) ?? '';
}

function messageIn(notice: Notice): Pick<OutboxEntry, 'message'> {
  if (notice.kind !== 'received') return {};
  const { number, from, at, content } = notice;
  return { message: { v: 1, number, from, at, content } };
}

const PREFIX = 'conversation.';

function conversationKey(id: string): string {
  return PREFIX + id;
}
