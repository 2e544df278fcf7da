import { Inject, Injectable } from '@nestjs/common';
import { errorReason } from '@ringdown/errors';
import { LOGGER, Metrics, type Logger } from '@ringdown/observability';
import { Fault, InterfaceError } from '@ringdown/web-server/errors';
import { EventChannels } from '../events/event-channels.js';
import type { Receipt } from '../events/session-event.js';
import type { Session } from '../sessions/sessions.js';
import type { Content, MessagingRules } from './conversations/conversation.js';
import { ConversationLookup } from './conversations/conversation-lookup.js';
import { ConversationSteps } from './conversations/conversation-steps.js';
import { leave, send, settleMessage, stop, type } from './conversations/dialogue.js';
import { messagingReasons } from './messaging-reasons.js';
import { OwnConversations } from './conversations/own-conversations.js';
import { RULES } from './rules.js';

/**
 * What people do in conversations (web-interface.md, section 8), with errors of the interface. The functions of
 * `dialogue.ts` decide what happens in a conversation; `Invitations` starts it.
 */
@Injectable()
export class Messaging {
  private readonly pending = new Set<Promise<void>>();
  private readonly sent;

  constructor(
    private readonly lookup: ConversationLookup,
    private readonly steps: ConversationSteps,
    private readonly own: OwnConversations,
    @Inject(RULES) private readonly rules: MessagingRules,
    @Inject(LOGGER) private readonly logger: Logger,
    channels: EventChannels,
    metrics: Metrics,
  ) {
    this.sent = metrics.counter('messages_total', 'Messages that were sent in conversations');
    channels.onDelivered((receipt) => this.runInBackground(() => this.confirmDelivery(receipt)));
  }

  /** Hangs up, or cancels an invitation. */
  async stop({ application }: Session, id: string): Promise<void> {
    const step = await this.steps.change(id, (conversation) => stop(conversation, application.id, Date.now()));
    if (step === undefined || step === 'over') throw new InterfaceError(messagingReasons.conversationNotFound);
  }

  /** Returns the number of the message. */
  async send({ application }: Session, id: string, content: Content, operationId: string | undefined): Promise<number> {
    const { formats } = await this.lookup.findOpen(application.id, id);
    if (!formats.includes(content.format)) {
      throw new Fault('unsupported-media-type', { message: 'The other client does not support this format.' });
    }
    const message = { content, operationId };
    const step = await this.steps.change(id, (conversation) =>
      send(conversation, application.id, message, Date.now(), this.rules),
    );
    if (step === undefined || step === 'over') throw await this.notConnected(application.id, id);
    if (step === 'full') {
      const text = 'The other client has too many messages to fetch.';
      throw new Fault('too-many-requests', { message: text, headers: { 'retry-after': '5' } });
    }
    this.sent.inc();
    return step.number;
  }

  async type({ application }: Session, id: string): Promise<void> {
    const step = await this.steps.change(id, (conversation) =>
      type(conversation, application.id, Date.now(), this.rules),
    );
    if (step === undefined || step === 'over') throw await this.notConnected(application.id, id);
  }

  /** An ended application leaves all its conversations; they stay open for the other side. */
  async applicationEnded(application: string): Promise<void> {
    for (const id of await this.own.of(application)) {
      await this.steps.change(id, (conversation) => leave(conversation, application, Date.now()));
    }
    await this.own.delete(application);
  }

  /** Waits for operations in progress. */
  async close(): Promise<void> {
    await Promise.all(this.pending);
  }

  private async confirmDelivery({ conversation: id, number }: Receipt): Promise<void> {
    await this.steps.change(id, (conversation) => settleMessage(conversation, number, true, Date.now()));
  }

  private async notConnected(application: string, id: string): Promise<InterfaceError> {
    await this.lookup.findOpen(application, id);
    return new InterfaceError(messagingReasons.notConnected);
  }

  private runInBackground(work: () => Promise<void>): void {
    const begun = work()
      .catch((error: unknown) => {
        // The timeout of the message corrects this.
        this.logger.warn({ reason: errorReason(error) }, 'could not confirm a message yet');
      })
      .finally(() => this.pending.delete(begun));
    this.pending.add(begun);
  }
}
