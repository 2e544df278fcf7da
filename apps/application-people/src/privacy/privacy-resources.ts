import { Injectable } from '@nestjs/common';
import { LinkBuilder, type Link, type Resource } from '@ringdown/hypermedia';
import { contentEtag } from '../http/etag.js';
import { putToken } from '../http/put-request.js';
import { levelIn, type PersonalRecord } from '../personal-settings/personal-settings.js';
import type { RelationshipLevel } from '../personal-settings/relationship-level.js';

/** The revision of the resource that can be changed (web-interface.md, section 12). */
const REVISION = '2';

/** The resources of privacy relationships (web-interface.md, section 5). */
@Injectable()
export class PrivacyResources {
  constructor(private readonly links: LinkBuilder) {}

  /** The link of the `people` resource. */
  link(id: string): Link {
    return { rel: 'myPrivacyRelationships', href: this.href(id) };
  }

  /** The link of a contact. */
  contactLink(id: string, sipAddress: string): Link {
    return { rel: 'contactPrivacyRelationship', href: this.contactHref(id, sipAddress) };
  }

  /** Only the relationships that the user has chosen; the list is there even when it is empty. */
  myPrivacyRelationships(id: string, record: PersonalRecord): Resource {
    const addresses = Object.keys(record.relationships);
    const resources = addresses.map((sipAddress) => this.contactPrivacyRelationship(id, sipAddress, record));
    return {
      rel: 'myPrivacyRelationships',
      href: this.href(id),
      embedded: [{ rel: 'contactPrivacyRelationship', many: true, resources }],
    };
  }

  contactPrivacyRelationship(id: string, sipAddress: string, record: PersonalRecord): Resource {
    const relationshipLevel = levelIn(record, sipAddress);
    return {
      rel: 'contactPrivacyRelationship',
      href: this.contactHref(id, sipAddress),
      revision: REVISION,
      links: [{ rel: 'contact', href: this.personHref(id, sipAddress) }],
      properties: { ...putToken(privacySeed(sipAddress)), relationshipLevel },
      etag: privacyEtag(relationshipLevel),
    };
  }

  personHref(id: string, sipAddress: string, ...rest: readonly string[]): string {
    return this.links.application(id, 'people', sipAddress.replace(/^sip:/, ''), ...rest);
  }

  /** The sender of events about relationships. */
  sender(id: string): { readonly rel: string; readonly href: string } {
    return { rel: 'people', href: this.links.application(id, 'people') };
  }

  private contactHref(id: string, sipAddress: string): string {
    return this.personHref(id, sipAddress, 'privacyRelationship');
  }

  private href(id: string): string {
    return this.links.application(id, 'people', 'privacyRelationships');
  }
}

export function privacySeed(sipAddress: string): string {
  return `privacy ${sipAddress}`;
}

export function privacyEtag(level: RelationshipLevel): string {
  return contentEtag({ level });
}
