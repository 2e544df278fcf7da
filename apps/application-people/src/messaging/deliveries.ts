import { Injectable } from '@nestjs/common';
import { KeyedMutex } from '@ringdown/concurrency';
import { Applications } from '../sessions/applications.js';
import { applicationChannelKeys } from '../events/channel-key.js';
import { EventChannels } from '../events/event-channels.js';
import type { Conversation } from './conversations/conversation.js';
import { ConversationStore, type OutboxEntry } from './conversations/conversation-store.js';
import { leave } from './conversations/dialogue.js';
import { MessageStore } from './message-store.js';
import { OwnConversations } from './conversations/own-conversations.js';

/**
 * Appends the outgoing events of a conversation to the event channels of its sessions. If a process dies in between,
 * another one delivers again, and the channels skip what they have already.
 */
@Injectable()
export class Deliveries {
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly store: ConversationStore,
    private readonly own: OwnConversations,
    private readonly messages: MessageStore,
    private readonly applications: Applications,
    private readonly channels: EventChannels,
  ) {}

  /** Resolves when the outbox is empty. */
  deliver(id: string): Promise<void> {
    const { store } = this;
    return this.mutex.runExclusive(id, async () => {
      for (;;) {
        const stored = await store.read(id);
        const last = stored?.outbox.at(-1);
        if (stored === undefined || last === undefined) return;
        const reached = await Promise.all(
          byApplication(stored.outbox).map(async (all) => ({
            to: all[0].to,
            isRunning: await this.appendTo(stored.conversation, all),
          })),
        );
        await store.delivered(id, last.sequence);
        for (const { to, isRunning } of reached) {
          if (!isRunning) await store.change(id, (conversation) => leave(conversation, to, Date.now()));
        }
      }
    });
  }

  /** False when the application has ended. */
  private async appendTo(
    { id, threadId }: Conversation,
    all: readonly [OutboxEntry, ...OutboxEntry[]],
  ): Promise<boolean> {
    const { applications, own, messages, channels } = this;
    const { to, username } = all[0];
    const application = await applications.running(to, username);
    if (application === undefined) return false;
    const leaves = all.some((each) => each.leaves);
    if (!leaves && all.some((each) => each.enters)) await own.add(to, id, threadId);
    // First, so that a client that receives the end can start the thread again.
    if (leaves) await own.remove(to, [id]);
    for (const { message } of all) if (message !== undefined) await messages.keep(id, message);
    await Promise.all(
      applicationChannelKeys(application).map((key) => channels.appendOnce(key, { source: id, parts: all })),
    );
    return true;
  }
}

function byApplication(outbox: readonly OutboxEntry[]): readonly (readonly [OutboxEntry, ...OutboxEntry[]])[] {
  const lists = new Map<string, [OutboxEntry, ...OutboxEntry[]]>();
  for (const outgoing of outbox) {
    const list = lists.get(outgoing.to);
    if (list === undefined) lists.set(outgoing.to, [outgoing]);
    else list.push(outgoing);
  }
  return Array.from(lists.values());
}
