import type { Person } from '@ringdown/directory';
import type { Link, LinkBuilder, Resource } from '@ringdown/hypermedia';
import { modalitiesOf } from './presence-changes.js';
import type { Note, Presence, PresenceRecord } from './presence-record.js';

/** The resources of presence: of the user (web-interface.md, section 6) and of others (section 5). */
export class PresenceResources {
  constructor(private readonly links: LinkBuilder) {}

  /** What the user can do next: make himself available, or use what he then has. */
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

  contactLinks(id: string, person: Person): Link[] {
    return [
      { rel: 'contactPresence', href: this.ofContact(id, person, 'presence') },
      { rel: 'contactLocation', href: this.ofContact(id, person, 'location') },
      { rel: 'contactNote', href: this.ofContact(id, person, 'note') },
      { rel: 'contactSupportedModalities', href: this.ofContact(id, person, 'supportedMedia') },
    ];
  }

  contactPresence(id: string, person: Person, { activeAt }: PresenceRecord, shown: Presence): Resource {
    const { availability, activity, device: deviceType } = shown;
    const lastActive = activeAt === null ? undefined : new Date(activeAt);
    return {
      rel: 'contactPresence',
      href: this.ofContact(id, person, 'presence'),
      properties: { availability, activity, deviceType, lastActive },
    };
  }

  contactNote(id: string, person: Person, { note }: PresenceRecord): Resource {
    return { rel: 'contactNote', href: this.ofContact(id, person, 'note'), properties: noteProperties(note) };
  }

  contactLocation(id: string, person: Person, { location }: PresenceRecord): Resource {
    const href = this.ofContact(id, person, 'location');
    return { rel: 'contactLocation', href, properties: { location: location ?? '' } };
  }

  contactModalities(id: string, person: Person, record: PresenceRecord): Resource {
    const href = this.ofContact(id, person, 'supportedMedia');
    return { rel: 'contactSupportedModalities', href, properties: { modalities: modalitiesOf(record) } };
  }

  private own(id: string, rel: string): string {
    return this.links.application(id, 'me', rel);
  }

  private ofContact(id: string, { sipAddress }: Person, part: string): string {
    return this.links.application(id, 'people', sipAddress.replace(/^sip:/, ''), part);
  }
}

function noteProperties(note: Note | null): NonNullable<Resource['properties']> {
  return { message: note?.message ?? '', type: note?.type ?? 'Personal' };
}
