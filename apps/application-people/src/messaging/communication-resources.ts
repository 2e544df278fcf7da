import type { Link, LinkBuilder, Resource } from '@ringdown/hypermedia';
import type { SessionEvent } from '../events/session-event.js';
import { etagOf } from '../http/etag.js';
import { putToken } from '../http/put-request.js';
import type { AvailableClient } from '../presence/presence-record.js';
import type { Conversation, MessageFormat } from './conversation.js';
import { MessagingLinks } from './messaging-links.js';
import { ConversationView } from './messaging-resources.js';

/** What a client can do with messages. */
export interface Communication {
  readonly supportedModalities: readonly string[];
  readonly supportedMessageFormats: readonly MessageFormat[];
}

/** Of a client; as long as its user is not available in it, it is reached by nothing, but may write. */
export function communicationOf(client: AvailableClient | undefined): Communication {
  return {
    supportedModalities: client?.modalities ?? [],
    supportedMessageFormats: client?.messageFormats ?? ['Plain'],
  };
}

/** Changes with what is in the resource, in whatever order it stands. */
export function communicationEtag({ supportedModalities, supportedMessageFormats }: Communication): string {
  return etagOf([supportedModalities.toSorted(), supportedMessageFormats.toSorted()]);
}

export function communicationSeed(applicationId: string): string {
  return `communication ${applicationId}`;
}

/** The way into everything about messages (web-interface.md, sections 4 and 8). */
export class CommunicationResources {
  constructor(private readonly links: LinkBuilder) {}

  of(applicationId: string): MessagingLinks {
    return new MessagingLinks(this.links, applicationId);
  }

  view(applicationId: string, conversation: Conversation): ConversationView {
    return new ConversationView(this.of(applicationId), conversation);
  }

  /** What has to be passed on in a PUT comes first, as clients expect it there. Guests may look, and invite nobody. */
  communication(applicationId: string, communication: Communication, isGuest = false): Resource {
    const links = this.of(applicationId);
    const { supportedModalities, supportedMessageFormats } = communication;
    const startMessaging: Link = { rel: 'startMessaging', href: links.invitations, revision: '2' };
    return {
      rel: 'communication',
      href: links.communication,
      links: [
        { rel: 'conversations', href: `${links.conversations}?filter=active` },
        ...(isGuest ? [] : [startMessaging]),
      ],
      properties: { ...putToken(communicationSeed(applicationId)), supportedModalities, supportedMessageFormats },
      etag: communicationEtag(communication),
    };
  }

  /** Tells a session what its own client can do now. */
  updated(applicationId: string, communication: Communication): SessionEvent {
    const embedded = this.communication(applicationId, communication);
    const link = { rel: embedded.rel, href: embedded.href };
    return { sender: link, type: 'updated', link, embedded };
  }

  conversations(applicationId: string, conversations: readonly Conversation[]): Resource {
    const links = this.of(applicationId);
    return {
      rel: 'conversations',
      href: links.conversations,
      links: conversations.map((each): Link => ({
        rel: 'conversation',
        href: links.conversation(each),
        many: true,
        ...(each.subject === undefined ? {} : { title: each.subject }),
      })),
    };
  }
}
