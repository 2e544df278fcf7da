import { Injectable } from '@nestjs/common';
import { InterfaceError } from '@ringdown/web-server/errors';
import type { Acquaintance } from '../../readable-contacts/readable-contacts.js';
import { isOpenTo, conversationParties, conversationStatus, type Conversation } from './conversation.js';
import { ConversationStore } from './conversation-store.js';
import { MessageStore, type StoredMessage } from '../message-store.js';
import { messagingReasons } from '../messaging-reasons.js';
import { OwnConversations } from './own-conversations.js';

/** Reads conversations and their messages, with errors of the interface. */
@Injectable()
export class ConversationLookup {
  constructor(
    private readonly store: ConversationStore,
    private readonly own: OwnConversations,
    private readonly messages: MessageStore,
  ) {}

  /** The conversation, as long as it can still be read; throws when the application is not part of it. */
  async find(application: string, id: string): Promise<Conversation> {
    const conversation = (await this.store.read(id))?.conversation;
    if (conversation === undefined || conversationStatus(conversation, application) === undefined) {
      throw new InterfaceError(messagingReasons.invitationNotFound);
    }
    return conversation;
  }

  /** As {@link find}, but throws when the conversation is over for the application. */
  async findOpen(application: string, id: string): Promise<Conversation> {
    const conversation = (await this.store.read(id))?.conversation;
    if (conversation === undefined || !isOpenTo(conversation, application)) {
      throw new InterfaceError(messagingReasons.conversationNotFound);
    }
    return conversation;
  }

  async openOf(application: string): Promise<readonly Conversation[]> {
    const { own, store } = this;
    const all = await Promise.all((await own.of(application)).map((id) => store.read(id)));
    return all.flatMap((stored) => (stored && isOpenTo(stored.conversation, application) ? [stored.conversation] : []));
  }

  async acquaintancesOf(application: string): Promise<readonly Acquaintance[]> {
    return (await this.openOf(application)).map((conversation): Acquaintance => {
      const { uri: sipAddress, name, guestOf } = conversationParties(conversation, application).other;
      const isConnected = conversationStatus(conversation, application) === 'connected';
      return { sipAddress, name, isGuest: guestOf !== undefined, isConnected };
    });
  }

  /** One of the newest messages. */
  async message(id: string, number: string): Promise<StoredMessage> {
    const known = /^[1-9]\d{0,9}$/.test(number) ? await this.messages.read(id, Number(number)) : undefined;
    if (known === undefined) throw new InterfaceError(messagingReasons.messageNotFound);
    return known;
  }
}
