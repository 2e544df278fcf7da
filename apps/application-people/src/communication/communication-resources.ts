import { Injectable } from '@nestjs/common';
import { LinkBuilder, type Resource } from '@ringdown/hypermedia';
import type { SessionEvent } from '../events/session-event.js';
import { contentEtag } from '../http/etag.js';
import { putToken } from '../http/put-request.js';
import type { AvailableClient, MessageFormat } from '../presence-store/presence-record.js';
import { CommunicationLinks } from './communication-links.js';

/** What a client can do with messages. */
export interface Communication {
  readonly supportedModalities: readonly string[];
  readonly supportedMessageFormats: readonly MessageFormat[];
}

/** Of a client; while its user is not available in it, it receives no messages, but may send them. */
export function clientCommunication(client: AvailableClient | undefined): Communication {
  return {
    supportedModalities: client?.modalities ?? [],
    supportedMessageFormats: client?.messageFormats ?? ['Plain'],
  };
}

/** Changes with the content of the resource, whatever the order of its parts. */
export function communicationEtag({ supportedModalities, supportedMessageFormats }: Communication): string {
  return contentEtag([supportedModalities.toSorted(), supportedMessageFormats.toSorted()]);
}

export function communicationSeed(applicationId: string): string {
  return `communication ${applicationId}`;
}

/** The entry point of messaging (web-interface.md, sections 4 and 8). */
@Injectable()
export class CommunicationResources {
  constructor(private readonly links: LinkBuilder) {}

  /** The property that a PUT has to repeat comes first, as clients expect it there. */
  communication(applicationId: string, communication: Communication): Resource {
    const links = new CommunicationLinks(this.links, applicationId);
    const { supportedModalities, supportedMessageFormats } = communication;
    return {
      rel: 'communication',
      href: links.communication,
      links: [
        { rel: 'conversations', href: `${links.conversations}?filter=active` },
        { rel: 'startMessaging', href: links.invitations, revision: '2' },
      ],
      properties: { ...putToken(communicationSeed(applicationId)), supportedModalities, supportedMessageFormats },
      etag: communicationEtag(communication),
    };
  }

  /** Informs a session of what its own client can do now. */
  updated(applicationId: string, communication: Communication): SessionEvent {
    const embedded = this.communication(applicationId, communication);
    const link = { rel: embedded.rel, href: embedded.href };
    return { sender: link, type: 'updated', link, embedded };
  }
}
