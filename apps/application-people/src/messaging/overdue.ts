import { Inject, Injectable } from '@nestjs/common';
import { Applications } from '../sessions/applications.js';
import { applicationChannelKeys } from '../events/channel-key.js';
import { EventChannels } from '../events/event-channels.js';
import {
  conversationDueAt,
  guestCheckDueAt,
  isOver,
  type Conversation,
  type MessageUnderWay,
  type MessagingRules,
} from './conversations/conversation.js';
import { ConversationStore, type StoredConversation } from './conversations/conversation-store.js';
import { Deliveries } from './deliveries.js';
import { applyTimeouts, endForBoth, settleMessage } from './conversations/dialogue.js';
import { MeetingGuests } from './guests/meeting-guests.js';
import { RULES } from './rules.js';

/** Applies the timeouts of a conversation. */
@Injectable()
export class Overdue {
  constructor(
    private readonly store: ConversationStore,
    private readonly deliveries: Deliveries,
    private readonly applications: Applications,
    private readonly channels: EventChannels,
    private readonly guests: MeetingGuests,
    @Inject(RULES) private readonly rules: MessagingRules,
  ) {}

  /** Resolves with the next due time of the conversation; undefined when it is gone. */
  async process(id: string): Promise<number | undefined> {
    const { store, deliveries, rules } = this;
    // First, since a message that is not in its channel yet could not be withdrawn from there.
    await deliveries.deliver(id);
    const stored = await store.read(id);
    if (stored === undefined) return undefined;
    const { conversation } = stored;
    for (const message of conversation.underWay) {
      if (message.until <= Date.now()) await this.expireMessage(conversation, message);
    }
    await store.change(id, (current) => applyTimeouts(current, Date.now(), rules));
    if (await this.guests.isMeetingOver(conversation)) {
      await store.change(id, (current) => endForBoth(current, Date.now()));
    }
    await deliveries.deliver(id);
    const after = await store.read(id);
    if (after === undefined) return undefined;
    if (after.due > Date.now() || !isOver(after.conversation)) return nextDueAt(after, Date.now(), rules);
    await store.delete(id);
    return undefined;
  }

  /**
   * A message that was not fetched in time is withdrawn, so that it has failed either for both sides or for neither.
   */
  private async expireMessage(conversation: Conversation, { number, from, to }: MessageUnderWay): Promise<void> {
    const { applications, channels, store } = this;
    const receiver = from === conversation.callerAt ? conversation.callee : conversation.caller;
    const application = await applications.running(to, receiver.username ?? '');
    const receipt = { conversation: conversation.id, number };
    const delivered = await Promise.all(
      application === undefined
        ? []
        : applicationChannelKeys(application).map((key) => channels.withdrawEvent(key, receipt)),
    );
    // By one of its instances; one that was created later never had it.
    const isFetched = delivered.includes(true);
    await store.change(conversation.id, (current) => settleMessage(current, number, isFetched, Date.now()));
  }
}

/** A check of a guest's meeting that has found nothing writes nothing, so the stored time is over then. */
function nextDueAt({ due, conversation }: StoredConversation, now: number, rules: MessagingRules): number {
  if (due > now) return due;
  const check = guestCheckDueAt(conversation, now, rules);
  return check === Number.POSITIVE_INFINITY ? due : Math.min(check, conversationDueAt(conversation, rules));
}
