import type { Person, PhoneKind } from '@ringdown/directory';
import type { Properties } from '@ringdown/hypermedia';
import type { Acquaintance } from '../readable-contacts/readable-contacts.js';

export function contactProperties(person: Person): Properties {
  return {
    ...commonProperties(person),
    sourceNetwork: 'SameEnterprise',
    type: 'User',
    company: person.company,
    office: person.office,
    ...phoneProperties(person),
  };
}

export function acquaintanceProperties({ name, sipAddress: uri, isGuest }: Acquaintance): Properties {
  return { name, uri, sourceNetwork: isGuest ? 'Everyone' : 'SameEnterprise', type: 'User' };
}

export function commonProperties({ name, sipAddress, mail, title, department }: Person): Properties {
  return { name, uri: sipAddress, emailAddresses: mail === undefined ? undefined : [mail], title, department };
}

/**
 * The property names are spelled out: to build them for each person of a search costs more than to write all the rest.
 */
export function phoneProperties({ phones }: Person): Record<`${PhoneKind}PhoneNumber`, string | undefined> {
  return {
    workPhoneNumber: telUri(phones.work),
    homePhoneNumber: telUri(phones.home),
    mobilePhoneNumber: telUri(phones.mobile),
    otherPhoneNumber: telUri(phones.other),
  };
}

function telUri(number: string | undefined): string | undefined {
  return number === undefined ? undefined : `tel:${number}`;
}
