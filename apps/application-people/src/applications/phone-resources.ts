import { Injectable } from '@nestjs/common';
import { PHONE_KINDS, type Person, type PhoneKind } from '@ringdown/directory';
import { LinkBuilder, type Link, type Resource } from '@ringdown/hypermedia';
import { contentEtag } from '../http/etag.js';

/**
 * The user's telephone numbers as the directory lists them, all of them on the contact card (web-interface.md, section
 * 6). Only the administrator of the directory changes them: there is no `changeNumber` and no `changeVisibility`.
 */
@Injectable()
export class PhoneResources {
  constructor(private readonly links: LinkBuilder) {}

  link(id: string): Link {
    return { rel: 'phones', href: this.href(id) };
  }

  phones(id: string, person: Person): Resource {
    const resources = PHONE_KINDS.flatMap((kind) => this.phone(id, person, kind) ?? []);
    return { rel: 'phones', href: this.href(id), embedded: [{ rel: 'phone', many: true, resources }] };
  }

  /**
   * Undefined for a number that the person does not have. Kinds are in lower case, as the deployed server writes them.
   */
  phone(id: string, { phones }: Person, kind: PhoneKind): Resource | undefined {
    const number = phones[kind];
    if (number === undefined) return undefined;
    const properties = { number: `tel:${number}`, type: kind, includeInContactCard: true };
    return { rel: 'phone', href: `${this.href(id)}/${kind}`, properties, etag: contentEtag(properties) };
  }

  private href(id: string): string {
    return this.links.application(id, 'me', 'phones');
  }
}
