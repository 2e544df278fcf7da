import { CommunicationLinks } from '../communication/communication-links.js';
import { conversationParties, type Conversation, type ConversationParty } from './conversations/conversation.js';

/** URLs of a conversation and of everything in it, as one application sees them (web-interface.md, section 8). */
export class MessagingLinks extends CommunicationLinks {
  invitation({ id }: Pick<Conversation, 'id'>, ...segments: readonly string[]): string {
    return this.path('messagingInvitations', id, ...segments);
  }

  conversation({ id }: Pick<Conversation, 'id'>, ...segments: readonly string[]): string {
    return this.path('conversations', id, ...segments);
  }

  messaging(conversation: Conversation, ...segments: readonly string[]): string {
    return this.conversation(conversation, 'messaging', ...segments);
  }

  message(conversation: Pick<Conversation, 'id'>, number: number): string {
    return this.conversation(conversation, 'messaging', 'messages', String(number));
  }

  /** The participant who owns the application. */
  localParticipant(conversation: Conversation, ...segments: readonly string[]): string {
    return this.conversation(conversation, 'localParticipant', ...segments);
  }

  /** The other participant. */
  participant(conversation: Conversation, ...segments: readonly string[]): string {
    const { other } = conversationParties(conversation, this.applicationId);
    return this.conversation(conversation, 'participants', partyAddress(other), ...segments);
  }

  contact(party: ConversationParty, ...segments: readonly string[]): string {
    return this.builder.application(this.applicationId, 'people', partyAddress(party), ...segments);
  }

  contactPhoto(party: ConversationParty): string {
    return this.builder.application(this.applicationId, 'photos', partyAddress(party));
  }
}

/** Without the scheme, as it is written in paths. */
export function partyAddress({ uri }: ConversationParty): string {
  return uri.replace(/^sip:/, '');
}
