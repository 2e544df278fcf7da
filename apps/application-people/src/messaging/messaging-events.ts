import type { Resource } from '@ringdown/hypermedia';
import type { EventLink, EventType, SessionEvent } from '../events/session-event.js';
import type { Conversation, Notice, FailureReason } from './conversations/conversation.js';
import { REASONS } from './invitation.js';
import type { MessagingLinks } from './messaging-links.js';
import { ConversationView } from './messaging-resources.js';

/** The events for one session after a change, in the order in which it receives them (web-interface.md, section 8). */
export function noticeEvents(notice: Notice, conversation: Conversation, links: MessagingLinks): SessionEvent[] {
  return new NoticeTranslator(conversation, links).of(notice);
}

class NoticeTranslator {
  private readonly view: ConversationView;
  private readonly communication: SessionEvent['sender'];
  private readonly inside: SessionEvent['sender'];

  constructor(
    private readonly conversation: Conversation,
    private readonly links: MessagingLinks,
  ) {
    this.view = new ConversationView(links, conversation);
    this.communication = { rel: 'communication', href: links.communication };
    this.inside = { rel: 'conversation', href: this.view.conversationHref };
  }

  of(notice: Notice): SessionEvent[] {
    switch (notice.kind) {
      case 'inviting':
        return [...this.begun(), this.localParticipantAdded(), this.messagingUpdated()];
      case 'invited':
        // Communication is the first sender: one client looks for the invitation nowhere else (web-interface.md, section 14).
        return [...this.begun(), this.localParticipantAdded(), this.participantAdded(), this.messagingUpdated()];
      case 'connected':
        return this.connected();
      case 'answeredElsewhere':
        return [
          this.communicated('updated', this.view.invitation()),
          ...this.over({ reason: REASONS.connectedElsewhere }),
        ];
      case 'over':
        return this.over(notice);
      case 'received':
        return [this.received(notice)];
      case 'sent':
        return [this.sent(notice)];
      default:
        return [this.typing(notice.kind === 'typing' ? 'added' : 'deleted')];
    }
  }

  private begun(): SessionEvent[] {
    return [
      this.communicated('started', this.view.invitation()),
      this.communicated('added', this.view.conversationResource()),
    ];
  }

  private connected(): SessionEvent[] {
    const conversation = this.communicated('updated', this.view.conversationResource());
    const completed: SessionEvent = { ...this.communicated('completed', this.view.invitation()), status: 'Success' };
    const inside = [
      this.participantMessagingAdded(true),
      this.participantMessagingAdded(false),
      this.messagingUpdated(),
    ];
    const isCaller = this.conversation.callerAt === this.links.applicationId;
    if (isCaller) return [conversation, this.participantAdded(), ...inside, completed];
    // The first message follows in the same block: one client reads only the first block of a conversation.
    return [conversation, completed, ...inside];
  }

  private over({ reason }: { readonly reason: FailureReason | undefined }): SessionEvent[] {
    const conversation = this.view.conversationResource();
    const ended: SessionEvent[] = [
      this.messagingUpdated(),
      this.communicated('updated', conversation),
      { sender: this.communication, type: 'deleted', link: linkTo(conversation) },
    ];
    if (reason === undefined) return ended;
    return [{ ...this.communicated('completed', this.view.invitation()), status: 'Failure', reason }, ...ended];
  }

  private received({ number, at, content }: Extract<Notice, { kind: 'received' }>): SessionEvent {
    const message = this.changed('completed', this.view.incomingMessage(number, at, content));
    return { ...message, status: 'Success', receipt: { conversation: this.conversation.id, number } };
  }

  private sent({ number, at, reason }: Extract<Notice, { kind: 'sent' }>): SessionEvent {
    const message = this.changed('completed', this.view.outgoingMessage(number, at, reason !== undefined));
    return reason === undefined ? { ...message, status: 'Success' } : { ...message, status: 'Failure', reason };
  }

  private typing(type: 'added' | 'deleted'): SessionEvent {
    const { href } = this.view.typingParticipants();
    return { ...this.participant(type), in: { rel: 'typingParticipants', href } };
  }

  private messagingUpdated(): SessionEvent {
    return this.changed('updated', this.view.messaging());
  }

  private localParticipantAdded(): SessionEvent {
    return this.changed('added', this.view.localParticipant(), 'localParticipant');
  }

  private participantAdded(): SessionEvent {
    return this.participant('added');
  }

  private participant(type: EventType): SessionEvent {
    const { rel, href, title } = this.view.participantLink();
    return { sender: this.inside, type, link: { rel, href, title } };
  }

  private participantMessagingAdded(isLocal: boolean): SessionEvent {
    const { conversation, links } = this;
    const href = isLocal ? links.localParticipant(conversation) : links.participant(conversation);
    const event = this.changed('added', this.view.participantMessaging(isLocal));
    return { ...event, in: { rel: isLocal ? 'localParticipant' : 'participant', href } };
  }

  private communicated(type: EventType, resource: Resource): SessionEvent {
    return { sender: this.communication, type, link: linkTo(resource), embedded: resource };
  }

  /**
   * An event about something in the conversation; clients look for some resources under another relation than their
   * own.
   */
  private changed(type: EventType, resource: Resource, rel = resource.rel): SessionEvent {
    return { sender: this.inside, type, link: { ...linkTo(resource), rel }, embedded: resource };
  }
}

function linkTo({ rel, href }: Resource): EventLink {
  return { rel, href };
}
