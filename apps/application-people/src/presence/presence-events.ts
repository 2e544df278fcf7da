import type { LinkBuilder } from '@ringdown/hypermedia';
import type { SessionEvent } from '../events/session-event.js';
import { communicationOf, CommunicationResources } from '../messaging/communication-resources.js';
import type { Aspect, AvailableClient } from './presence-record.js';

const OWN_RELS: Readonly<Record<Aspect, 'presence' | 'note' | 'location' | undefined>> = {
  presence: 'presence',
  note: 'note',
  location: 'location',
  // What a client can do it has said itself.
  modalities: undefined,
};

/** What a session is told of its own user's presence: links alone, as clients read the rest anew (web-interface.md, section 6). */
export class PresenceEvents {
  private readonly communications: CommunicationResources;

  constructor(private readonly links: LinkBuilder) {
    this.communications = new CommunicationResources(links);
  }

  /** From now on the user can be reached through this application. */
  available(id: string, client: AvailableClient): SessionEvent[] {
    const me = { rel: 'me', href: this.links.application(id, 'me') };
    return [
      { sender: me, type: 'updated', link: me },
      ...(['presence', 'note', 'location'] as const).map((rel) => this.own(id, rel, 'added')),
      this.communications.updated(id, communicationOf(client)),
    ];
  }

  ownChanged(id: string, aspects: readonly Aspect[]): SessionEvent[] {
    return aspects.flatMap((aspect) => {
      const rel = OWN_RELS[aspect];
      return rel === undefined ? [] : [this.own(id, rel, 'updated')];
    });
  }

  private own(id: string, rel: string, type: 'added' | 'updated'): SessionEvent {
    const sender = { rel: 'me', href: this.links.application(id, 'me') };
    return { sender, type, link: { rel, href: this.links.application(id, 'me', rel) } };
  }
}
