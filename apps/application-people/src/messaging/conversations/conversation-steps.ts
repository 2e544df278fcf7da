import { Inject, Injectable } from '@nestjs/common';
import { errorReason } from '@ringdown/errors';
import { LOGGER, type Logger } from '@ringdown/observability';
import type { Conversation, ConversationStep } from './conversation.js';
import { ConversationStore } from './conversation-store.js';
import { Deliveries } from '../deliveries.js';

/** Stores the steps of conversations and delivers their events. */
@Injectable()
export class ConversationSteps {
  constructor(
    private readonly store: ConversationStore,
    private readonly deliveries: Deliveries,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Undefined when there is no such conversation. */
  async change<O extends ConversationStep | string>(
    id: string,
    make: (conversation: Conversation) => O,
  ): Promise<O | undefined> {
    const outcome = await this.store.change(id, make);
    if (typeof outcome === 'object') await this.deliver(id);
    return outcome;
  }

  /** Stored events are delivered sooner or later: if not by this replica now, then by one that finds them overdue. */
  async deliver(id: string): Promise<void> {
    try {
      await this.deliveries.deliver(id);
    } catch (error) {
      this.logger.warn({ reason: errorReason(error) }, 'could not deliver events of a conversation yet');
    }
  }
}
