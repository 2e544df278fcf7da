import { queryString, type Embedded, type Link, type Resource } from '@ringdown/hypermedia';
import {
  conversationParties,
  conversationStatus,
  type Content,
  type Conversation,
  type ConversationParty,
  type ConversationStatus,
} from './conversations/conversation.js';
import { dataUri } from './data-uri.js';
import type { MessagingLinks } from './messaging-links.js';

/**
 * The resources of one conversation as one application sees them (web-interface.md, section 8). Operations that are not
 * possible yet, or not any more, are not linked.
 */
export class ConversationView {
  readonly status: ConversationStatus;
  private readonly own: ConversationParty;
  private readonly other: ConversationParty;
  private readonly isCaller: boolean;

  constructor(
    private readonly links: MessagingLinks,
    private readonly conversation: Conversation,
  ) {
    this.status = conversationStatus(conversation, links.applicationId) ?? 'over';
    this.isCaller = links.applicationId === conversation.callerAt;
    ({ own: this.own, other: this.other } = conversationParties(conversation, links.applicationId));
  }

  get conversationHref(): string {
    return this.links.conversation(this.conversation);
  }

  conversationResource(): Resource {
    const { threadId, subject, importance } = this.conversation;
    const isConnected = this.status === 'connected';
    const href = this.conversationHref;
    const states = { inviting: 'Connecting', invited: 'Incoming', connected: 'Connected' } as const;
    const state = this.isOpen(this.status) ? states[this.status] : 'Disconnected';
    const addParticipant = `${this.links.communication}/participantInvitations`;
    return {
      rel: 'conversation',
      href,
      links: [
        { rel: 'messaging', href: `${href}/messaging` },
        { rel: 'participants', href: `${href}/participants` },
        { rel: 'localParticipant', href: this.links.localParticipant(this.conversation), title: this.own.name },
        ...(isConnected
          ? [{ rel: 'addParticipant', href: addParticipant + queryString({ conversation: this.conversation.id }) }]
          : []),
      ],
      properties: {
        state,
        threadId,
        subject,
        activeModalities: isConnected ? ['Messaging'] : [],
        importance,
        recording: false,
      },
    };
  }

  messaging(): Resource {
    const { formats } = this.conversation;
    const href = this.links.messaging(this.conversation);
    const common: Link[] = [{ rel: 'conversation', href: this.conversationHref }];
    const resource = { rel: 'messaging', href };
    if (!this.isOpen(this.status)) {
      const again = { rel: 'addMessaging', href: this.links.conversation(this.conversation, 'messagingInvitations') };
      // Also for a guest, who cannot be invited: clients read the link without a check.
      return { ...resource, links: [...common, again], properties: { state: 'Disconnected' } };
    }
    const stop = { rel: 'stopMessaging', href: `${href}/terminate` };
    if (this.status !== 'connected') {
      return { ...resource, links: [...common, stop], properties: { state: 'Connecting' } };
    }
    return {
      ...resource,
      links: [
        ...common,
        stop,
        { rel: 'sendMessage', href: `${href}/messages` },
        { rel: 'setIsTyping', href: `${href}/typing` },
        { rel: 'typingParticipants', href: `${href}/typingParticipants` },
      ],
      properties: { state: 'Connected', negotiatedMessageFormats: formats },
    };
  }

  invitation(): Resource {
    const { threadId, operationId, subject, importance } = this.conversation;
    return {
      rel: 'messagingInvitation',
      href: this.links.invitation(this.conversation),
      links: this.invitationLinks(),
      properties: {
        direction: this.isCaller ? 'Outgoing' : 'Incoming',
        importance,
        threadId,
        state: this.invitationState(),
        operationId: this.isCaller ? operationId : undefined,
        subject,
      },
      embedded: this.invitationEmbedded(),
    };
  }

  /** The two participants; before the acceptance only the user. */
  participants(): Resource {
    const own = { rel: 'participant', href: this.links.localParticipant(this.conversation), title: this.own.name };
    return {
      rel: 'participants',
      href: this.links.conversation(this.conversation, 'participants'),
      links: [
        { ...own, many: true },
        { ...this.participantLink(), many: true },
      ],
    };
  }

  participant(): Resource {
    const { links, other } = this;
    return this.person(other, links.participant(this.conversation), [
      { rel: 'contact', href: links.contact(other) },
      { rel: 'contactPresence', href: links.contact(other, 'presence') },
      { rel: 'contactPhoto', href: links.contactPhoto(other) },
    ]);
  }

  localParticipant(): Resource {
    const resource = this.person(this.own, this.links.localParticipant(this.conversation), []);
    return { ...resource, properties: { ...resource.properties, local: true } };
  }

  participantMessaging(isLocal: boolean): Resource {
    const { links, conversation } = this;
    const participant = isLocal ? links.localParticipant(conversation) : links.participant(conversation);
    return {
      rel: 'participantMessaging',
      href: `${participant}/messaging`,
      links: [{ rel: 'participant', href: participant }],
    };
  }

  typingParticipants(): Resource {
    const isTyping = this.conversation.typing.some(({ at }) => at !== this.links.applicationId);
    return {
      rel: 'typingParticipants',
      href: this.links.messaging(this.conversation, 'typingParticipants'),
      links: isTyping ? [{ ...this.participantLink(), many: true }] : [],
    };
  }

  /** A message that was sent from here, without its text. */
  outgoingMessage(number: number, at: number, hasFailed: boolean): Resource {
    const failed = { ...this.participantLink(), rel: 'failedDeliveryParticipant', many: true };
    return this.message(number, at, 'Outgoing', hasFailed ? [failed] : []);
  }

  incomingMessage(number: number, at: number, content: Content): Resource {
    const rel = content.format === 'Html' ? 'htmlMessage' : 'plainMessage';
    return this.message(number, at, 'Incoming', [
      { rel: 'contact', href: this.links.contact(this.other) },
      this.participantLink(),
      { rel, href: dataUri(content) },
    ]);
  }

  participantLink(): Link & { readonly title: string } {
    return { rel: 'participant', href: this.links.participant(this.conversation), title: this.other.name };
  }

  private message(number: number, at: number, direction: string, links: readonly Link[]): Resource {
    return {
      rel: 'message',
      href: this.links.message(this.conversation, number),
      links: [{ rel: 'messaging', href: this.links.messaging(this.conversation) }, ...links],
      properties: { direction, timeStamp: { time: at } },
    };
  }

  private invitationLinks(): Link[] {
    const { conversation, links } = this;
    const { caller, callee, firstMessage } = conversation;
    const from = this.isCaller ? links.localParticipant(conversation) : links.participant(conversation);
    const messaging = { rel: 'messaging', href: links.messaging(conversation) };
    const to = { rel: 'to', href: links.contact(callee), title: callee.name };
    return [
      ...(this.status === 'invited'
        ? [
            { rel: 'accept', href: links.invitation(conversation, 'accept') },
            { rel: 'decline', href: links.invitation(conversation, 'decline') },
          ]
        : []),
      ...(this.status === 'inviting' ? [{ rel: 'cancel', href: links.messaging(conversation, 'terminate') }] : []),
      { rel: 'from', href: from, title: caller.name },
      ...(callee.username === undefined ? [] : [to]),
      { rel: 'conversation', href: this.conversationHref },
      messaging,
      ...(this.isCaller || firstMessage === null ? [] : [{ rel: 'message', href: dataUri(firstMessage) }]),
    ];
  }

  private invitationEmbedded(): Embedded[] {
    if (!this.isCaller) return [{ rel: 'from', many: false, resource: this.participant() }];
    const hasAccepted = this.conversation.calleeAt !== null;
    return hasAccepted ? [{ rel: 'acceptedByParticipant', many: true, resources: [this.participant()] }] : [];
  }

  private invitationState(): string {
    const { failure, calleeAt } = this.conversation;
    if (failure !== null) return failure;
    if (calleeAt !== null) return 'Connected';
    return this.status === 'over' ? 'Declined' : 'Connecting';
  }

  private person({ name, uri, guestOf }: ConversationParty, href: string, links: readonly Link[]): Resource {
    const isConnected = this.status === 'connected';
    return {
      rel: 'participant',
      href,
      links: [
        { rel: 'conversation', href: this.conversationHref },
        ...links,
        ...(isConnected ? [{ rel: 'participantMessaging', href: `${href}/messaging` }] : []),
      ],
      properties: {
        name,
        uri,
        sourceNetwork: guestOf === undefined ? 'SameEnterprise' : 'Everyone',
        anonymous: guestOf !== undefined,
      },
    };
  }

  private isOpen(status: ConversationStatus): status is 'inviting' | 'invited' | 'connected' {
    return status === 'inviting' || status === 'invited' || status === 'connected';
  }
}
