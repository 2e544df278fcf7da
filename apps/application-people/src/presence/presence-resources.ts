import { Injectable } from '@nestjs/common';
import type { Person } from '@ringdown/directory';
import { LinkBuilder, type Link, type Resource } from '@ringdown/hypermedia';
import type { Aspect, Note, Presence, PresenceRecord } from '../presence-store/presence-record.js';

/** Whose presence it is. */
type Owner = Pick<Person, 'sipAddress'>;
type Properties = NonNullable<Resource['properties']>;

/** The relation and the path under which others read each aspect. */
const OF_CONTACT: Readonly<Record<Aspect, { readonly rel: string; readonly part: string }>> = {
  presence: { rel: 'contactPresence', part: 'presence' },
  note: { rel: 'contactNote', part: 'note' },
  location: { rel: 'contactLocation', part: 'location' },
  modalities: { rel: 'contactSupportedModalities', part: 'supportedMedia' },
};

/** The resources of presence: of the user (web-interface.md, section 6) and of others (section 5). */
@Injectable()
export class PresenceResources {
  constructor(private readonly links: LinkBuilder) {}

  /** What the user can do next: become available, or use what is then possible. */
  ownLinks(id: string, isAvailable: boolean): Link[] {
    const rels = isAvailable ? ['note', 'presence', 'location', 'reportMyActivity'] : ['makeMeAvailable'];
    return rels.map((rel) => ({ rel, href: this.own(id, rel) }));
  }

  presence(id: string, { availability, activity }: Presence): Resource {
    return { rel: 'presence', href: this.own(id, 'presence'), properties: { availability, activity } };
  }

  note(id: string, { note }: PresenceRecord): Resource {
    return { rel: 'note', href: this.own(id, 'note'), properties: noteProperties(note) };
  }

  location(id: string, { location }: PresenceRecord): Resource {
    return { rel: 'location', href: this.own(id, 'location'), properties: { location: location ?? '' } };
  }

  contactLinks(id: string, { sipAddress }: Owner): Link[] {
    const aspects = ['presence', 'location', 'note', 'modalities'] as const;
    return aspects.map((aspect) => this.contactLink(id, sipAddress, aspect));
  }

  contactLink(id: string, sipAddress: string, aspect: Aspect): { readonly rel: string; readonly href: string } {
    const { rel, part } = OF_CONTACT[aspect];
    return { rel, href: this.links.application(id, 'people', sipAddress.replace(/^sip:/, ''), part) };
  }

  contactPresence(id: string, person: Owner, { activeAt }: PresenceRecord, shown: Presence): Resource {
    const { availability, activity, device: deviceType } = shown;
    const lastActive = activeAt === null ? undefined : new Date(activeAt);
    return this.ofContact(id, person, 'presence', { availability, activity, deviceType, lastActive });
  }

  contactNote(id: string, person: Owner, { note }: PresenceRecord): Resource {
    return this.ofContact(id, person, 'note', noteProperties(note));
  }

  contactLocation(id: string, person: Owner, { location }: PresenceRecord): Resource {
    return this.ofContact(id, person, 'location', { location: location ?? '' });
  }

  contactModalities(id: string, person: Owner, modalities: readonly string[]): Resource {
    return this.ofContact(id, person, 'modalities', { modalities });
  }

  private own(id: string, rel: string): string {
    return this.links.application(id, 'me', rel);
  }

  private ofContact(id: string, { sipAddress }: Owner, aspect: Aspect, properties: Properties): Resource {
    return { ...this.contactLink(id, sipAddress, aspect), properties };
  }
}

function noteProperties(note: Note | null): Properties {
  return { message: note?.message ?? '', type: note?.type ?? 'Personal' };
}
