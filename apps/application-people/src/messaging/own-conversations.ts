import { Bucket, type Bus } from '@ringdown/bus';
import { randomBytes } from 'node:crypto';

/** What one application has of conversations. */
interface Own {
  readonly v: 1;
  /** The ids of those that are not over, the oldest first. */
  readonly conversations: readonly string[];
  /** What its newest invitations were asked for with, so that none is made twice. */
  readonly operations: readonly { readonly operationId: string; readonly id: string }[];
}

export interface OwnConversationsOptions {
  readonly bus: Bus;
  /** Conversations that an application may have at once. */
  readonly limit: number;
}

const NONE: Own = { v: 1, conversations: [], operations: [] };
const OPERATIONS = 50;
/** An application that nobody uses for this long is forgotten itself. */
const MAX_AGE_MS = 8 * 24 * 60 * 60 * 1000;
const TRIES = 50;

/** Which conversations an application has: `application.<id>` in the bus' store. */
export class OwnConversations {
  private constructor(
    private readonly bucket: Bucket<Own>,
    private readonly limit: number,
  ) {}

  static async open({ bus, limit }: OwnConversationsOptions): Promise<OwnConversations> {
    const bucket = await Bucket.open({ bus, name: 'OWN_CONVERSATIONS', maxAgeMs: MAX_AGE_MS, parse });
    return new OwnConversations(bucket, limit);
  }

  async of(application: string): Promise<readonly string[]> {
    return (await this.bucket.get(keyOf(application)))?.value.conversations ?? [];
  }

  async isFull(application: string): Promise<boolean> {
    return (await this.of(application)).length >= this.limit;
  }

  /**
   * Id for a new conversation, or that of the one that was asked for with the same operation; undefined when there are
   * too many.
   */
  async reserve(application: string, operationId: string | undefined): Promise<string | undefined> {
    const id = randomBytes(10).toString('hex');
    let reserved: string | undefined;
    await this.change(application, (own) => {
      const known = own.operations.find((each) => each.operationId === operationId)?.id;
      reserved = known ?? (own.conversations.length < this.limit ? id : undefined);
      if (reserved !== id) return own;
      const operations = operationId === undefined ? own.operations : [...own.operations, { operationId, id }];
      return { ...own, conversations: [...own.conversations, id], operations: operations.slice(-OPERATIONS) };
    });
    return reserved;
  }

  async add(application: string, id: string): Promise<void> {
    await this.change(application, (own) =>
      own.conversations.includes(id) ? own : { ...own, conversations: [...own.conversations, id] },
    );
  }

  async remove(application: string, ids: readonly string[]): Promise<void> {
    await this.change(application, (own) => {
      const conversations = own.conversations.filter((each) => !ids.includes(each));
      return conversations.length === own.conversations.length ? own : { ...own, conversations };
    });
  }

  async delete(application: string): Promise<void> {
    await this.bucket.delete(keyOf(application));
  }

  private async change(application: string, make: (own: Own) => Own): Promise<void> {
    const key = keyOf(application);
    for (let tries = 0; tries < TRIES; tries++) {
      const entry = await this.bucket.get(key);
      const before = entry?.value ?? NONE;
      const after = make(before);
      if (after === before) return;
      const written = entry ? this.bucket.update(key, after, entry.revision) : this.bucket.create(key, after);
      if (await written) return;
    }
    throw new Error('the conversations of the application are changed by others all the time');
  }
}

function keyOf(application: string): string {
  return `application.${application}`;
}

function parse(value: unknown): Own {
  if (isOwn(value)) return value;
  throw new Error('the stored conversations of an application are of no version that is known here');
}

function isOwn(value: unknown): value is Own {
  return typeof value === 'object' && value !== null && 'v' in value && value.v === 1;
}
