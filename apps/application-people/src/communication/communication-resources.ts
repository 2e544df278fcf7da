import { Injectable } from '@nestjs/common';
import { LinkBuilder, type Link, type Resource } from '@ringdown/hypermedia';
import type { SessionEvent } from '../events/session-event.js';
import { etagOf } from '../http/etag.js';
import { putToken } from '../http/put-request.js';
import type { AvailableClient, MessageFormat } from '../presence-store/presence-record.js';
import { CommunicationLinks } from './communication-links.js';

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
@Injectable()
export class CommunicationResources {
  constructor(private readonly links: LinkBuilder) {}

  /** What has to be passed on in a PUT comes first, as clients expect it there. Guests may look, and invite nobody. */
  communication(applicationId: string, communication: Communication, isGuest = false): Resource {
    const links = new CommunicationLinks(this.links, applicationId);
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
}
