import { Injectable } from '@nestjs/common';
import { LinkBuilder } from '@ringdown/hypermedia';
import type { SessionEvent } from '../events/session-event.js';
import { clientCommunication, CommunicationResources } from '../communication/communication-resources.js';
import type { Aspect, AvailableClient } from '../presence-store/presence-record.js';
import { PresenceResources } from './presence-resources.js';

const OWN_RELS: Readonly<Record<Aspect, 'presence' | 'note' | 'location' | undefined>> = {
  presence: 'presence',
  note: 'note',
  location: 'location',
  // The client itself has reported what it can do.
  modalities: undefined,
};

/**
 * The events about presence that a session receives: of its own user (web-interface.md, section 6) and of others
 * (section 5). They contain only links, because clients read the content again.
 */
@Injectable()
export class PresenceEvents {
  constructor(
    private readonly links: LinkBuilder,
    private readonly resources: PresenceResources,
    private readonly communications: CommunicationResources,
  ) {}

  /** From now on the user can be reached through this application. */
  available(id: string, client: AvailableClient): SessionEvent[] {
    const me = { rel: 'me', href: this.links.application(id, 'me') };
    return [
      { sender: me, type: 'updated', link: me },
      ...(['presence', 'note', 'location'] as const).map((rel) => this.own(id, rel, 'added')),
      this.communications.updated(id, clientCommunication(client)),
    ];
  }

  ownChanged(id: string, aspects: readonly Aspect[]): SessionEvent[] {
    return aspects.flatMap((aspect) => {
      const rel = OWN_RELS[aspect];
      return rel === undefined ? [] : [this.own(id, rel, 'updated')];
    });
  }

  contactChanged(id: string, sipAddress: string, aspects: readonly Aspect[]): SessionEvent[] {
    const sender = { rel: 'people', href: this.links.application(id, 'people') };
    const href = this.links.application(id, 'people', sipAddress.replace(/^sip:/, ''));
    const contact = { rel: 'contact', href };
    return aspects.map((aspect) => ({
      sender,
      type: 'updated',
      link: this.resources.contactLink(id, sipAddress, aspect),
      in: contact,
    }));
  }

  private own(id: string, rel: string, type: 'added' | 'updated'): SessionEvent {
    const sender = { rel: 'me', href: this.links.application(id, 'me') };
    return { sender, type, link: { rel, href: this.links.application(id, 'me', rel) } };
  }
}
