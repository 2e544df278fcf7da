import { errorReason } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';
import type { ConversationStore } from './conversations/conversation-store.js';

export interface DeadlinesOptions {
  readonly store: Pick<ConversationStore, 'follow'>;
  readonly logger: Logger;
  readonly now: () => number;
  /**
   * Called when a conversation is due; several replicas may call it at the same time. Resolves with the next due time,
   * undefined when the conversation is gone.
   */
  readonly onDue: (id: string) => Promise<number | undefined>;
}

const TICK_MS = 250;
/** After a failure, the conversation is processed again after this time. */
const RETRY_MS = 2_000;

interface Deadline {
  readonly at: number;
}

/**
 * Knows when each conversation is due: invitations without a response, messages that are not fetched, events that a
 * replica has not delivered. Every replica follows all conversations, so none depends on another for this.
 */
export class Deadlines {
  private readonly due = new Map<string, Deadline>();
  private readonly running = new Set<Promise<void>>();
  private readonly ticker: NodeJS.Timeout;
  private readonly unsubscribe: () => void;

  constructor(private readonly options: DeadlinesOptions) {
    this.ticker = setInterval(() => this.tick(), TICK_MS).unref();
    this.unsubscribe = options.store.follow(options.logger, (id, due) => this.set(id, due));
  }

  /** Resolves when no conversation is being processed any more. */
  async close(): Promise<void> {
    clearInterval(this.ticker);
    this.unsubscribe();
    await Promise.all(this.running);
  }

  private tick(): void {
    const now = this.options.now();
    for (const [id, { at }] of this.due) {
      if (at > now) continue;
      const retry = { at: now + RETRY_MS };
      this.due.set(id, retry);
      const begun = this.process(id, retry).finally(() => this.running.delete(begun));
      this.running.add(begun);
    }
  }

  private async process(id: string, retry: Deadline): Promise<void> {
    try {
      const next = await this.options.onDue(id);
      // A due time that arrived from the bus meanwhile belongs to a later change than this one may.
      if (this.due.get(id) === retry) this.set(id, next);
    } catch (error) {
      this.options.logger.warn({ reason: errorReason(error) }, 'could not process a conversation; retrying');
    }
  }

  private set(id: string, due: number | undefined): void {
    if (due === undefined) this.due.delete(id);
    else this.due.set(id, { at: due });
  }
}
