import type { Bus } from '@ringdown/nats';
import { Bucket } from '@ringdown/nats/buckets';
import { compareAndSet } from '../../stored-entries/compare-and-set.js';
import { storedParser } from '../../stored-entries/stored-parser.js';
import { newConversationId } from './conversation-id.js';

interface StoredOperation {
  readonly operationId: string;
  /** What the request contained, as a hash; entries of earlier versions have none and are never repeated. */
  readonly content?: string;
  readonly id: string;
}

/** What is stored about the conversations of one application. */
interface StoredConversationList {
  readonly v: 1;
  /** The ids of those that are not over, the oldest first. */
  readonly conversations: readonly string[];
  /** The operation ids of its newest invitations, so that a repeated request does not invite twice. */
  readonly operations: readonly StoredOperation[];
  /** The threads of its conversations, by conversation id; entries of earlier versions have none. */
  readonly threads?: Readonly<Record<string, string>>;
}

/** Why an application cannot join one more conversation: it is in too many, or in one of the same thread. */
export type Obstacle = 'full' | 'threadExists';

/** Identifies a request: repeated while its invitation is pending, it is the same invitation. */
export interface Operation {
  readonly operationId: string;
  /** Hash of what the request contains. */
  readonly content: string;
}

export interface WantedConversation {
  readonly operation: Operation | undefined;
  readonly threadId: string;
  /** An invitation that is not pending any more, so that the operation does not repeat it. */
  readonly settled: string | undefined;
}

export interface OwnConversationsOptions {
  readonly bus: Bus;
  /** Conversations that an application may have at once. */
  readonly limit: number;
}

const NONE: StoredConversationList = { v: 1, conversations: [], operations: [] };
const OPERATIONS = 50;
/** An application that is unused for this long has expired itself. */
const MAX_AGE_MS = 8 * 24 * 60 * 60 * 1000;

const parse = storedParser<StoredConversationList>('the list of conversations of an application');

/** The conversations of each application: `application.<id>` in the store of the bus. */
export class OwnConversations {
  private constructor(
    private readonly bucket: Bucket<StoredConversationList>,
    private readonly limit: number,
  ) {}

  static async open({ bus, limit }: OwnConversationsOptions): Promise<OwnConversations> {
    const bucket = await Bucket.open({ bus, name: 'OWN_CONVERSATIONS', maxAgeMs: MAX_AGE_MS, parse });
    return new OwnConversations(bucket, limit);
  }

  async of(application: string): Promise<readonly string[]> {
    return (await this.bucket.getNewest(ownConversationsKey(application)))?.value.conversations ?? [];
  }

  /** The reason why an application cannot be invited to a thread; undefined when it can. */
  async obstacle(application: string, threadId: string): Promise<Obstacle | undefined> {
    return this.obstacleIn((await this.bucket.getNewest(ownConversationsKey(application)))?.value ?? NONE, threadId);
  }

  /** The id for a new conversation, or the id that the same operation has reserved before. */
  async reserve(
    application: string,
    { operation, threadId, settled }: WantedConversation,
  ): Promise<{ readonly id: string } | Obstacle> {
    const id = newConversationId();
    let reserved: { readonly id: string } | Obstacle = { id };
    await this.change(application, (own) => {
      const known = own.operations.find((each) => each.id !== settled && isSame(each, operation));
      reserved = known ?? this.obstacleIn(own, threadId) ?? { id };
      if (typeof reserved === 'string' || reserved.id !== id) return own;
      const others = own.operations.filter((each) => each.id !== settled);
      const operations = operation === undefined ? others : [...others, { ...operation, id }];
      return { ...withConversation(own, id, threadId), operations: operations.slice(-OPERATIONS) };
    });
    return reserved;
  }

  async add(application: string, id: string, threadId: string): Promise<void> {
    await this.change(application, (own) =>
      own.conversations.includes(id) ? own : withConversation(own, id, threadId),
    );
  }

  async remove(application: string, ids: readonly string[]): Promise<void> {
    await this.change(application, (own) => {
      const conversations = own.conversations.filter((each) => !ids.includes(each));
      if (conversations.length === own.conversations.length) return own;
      const threads = Object.fromEntries(Object.entries(own.threads ?? {}).filter(([id]) => !ids.includes(id)));
      return { ...own, conversations, threads };
    });
  }

  /** Of an application that has ended: no other one gets its id. */
  async delete(application: string): Promise<void> {
    await this.bucket.erase(ownConversationsKey(application));
  }

  private obstacleIn({ conversations, threads = {} }: StoredConversationList, threadId: string): Obstacle | undefined {
    if (Object.values(threads).includes(threadId)) return 'threadExists';
    return conversations.length >= this.limit ? 'full' : undefined;
  }

  private async change(
    application: string,
    make: (own: StoredConversationList) => StoredConversationList,
  ): Promise<void> {
    await compareAndSet(this.bucket, ownConversationsKey(application), NONE, make);
  }
}

function withConversation(own: StoredConversationList, id: string, threadId: string): StoredConversationList {
  return { ...own, conversations: [...own.conversations, id], threads: { ...own.threads, [id]: threadId } };
}

function isSame(stored: StoredOperation, operation: Operation | undefined): boolean {
  return stored.operationId === operation?.operationId && stored.content === operation.content;
}

function ownConversationsKey(application: string): string {
  return `application.${application}`;
}
