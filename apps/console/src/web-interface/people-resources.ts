import { present } from './present.js';
import type { Reading } from './reading.js';

/** What a person chooses, and what inactivity and calls make of it (web-interface.md, section 5). */
export const AVAILABILITIES = [
  'Online',
  'Busy',
  'DoNotDisturb',
  'BeRightBack',
  'Away',
  'Offline',
  'IdleOnline',
  'IdleBusy',
] as const;
export type Availability = (typeof AVAILABILITIES)[number];

export const CHOICES = ['Online', 'Busy', 'DoNotDisturb', 'BeRightBack', 'Away', 'Offwork'] as const;
export type ChosenAvailability = (typeof CHOICES)[number];

export interface Phone {
  readonly kind: 'work' | 'mobile' | 'home' | 'other';
  /** `+12025550102` */
  readonly number: string;
}

export interface Person {
  /** `sip:bob@example.test` */
  readonly uri: string;
  readonly name: string;
  readonly mail?: string;
  readonly title?: string;
  readonly department?: string;
  readonly company?: string;
  readonly office?: string;
  readonly phones: readonly Phone[];
}

/** The signed-in user. Links that are missing are not possible now. */
export interface Me extends Person {
  readonly href: string;
  readonly links: {
    readonly photo?: string;
    readonly makeMeAvailable?: string;
    readonly presence?: string;
    readonly note?: string;
    readonly location?: string;
    readonly reportMyActivity?: string;
  };
}

export interface Contact extends Person {
  readonly rel: 'contact';
  readonly href: string;
  readonly links: {
    readonly photo: string;
    readonly presence: string;
    readonly note: string;
    readonly location: string;
  };
}

export interface Presence {
  readonly availability: Availability;
  /** Words for a person, or one of the tokens `on-the-phone` and `off-work`. */
  readonly activity: string;
  /** Milliseconds since 1970. */
  readonly lastActive?: number;
}

export interface Group {
  readonly rel: 'pinnedGroup' | 'defaultGroup' | 'group';
  readonly href: string;
  readonly id: string;
  readonly name: string;
  readonly contacts: string;
  readonly etag: string;
  /** Name of the field that a change has to send back; undefined for the two groups that stay as they are. */
  readonly putToken?: string;
}

/** That a group holds a contact; both are links. */
export interface Membership {
  readonly href: string;
  readonly contact: string;
  readonly group: string;
}

const PUT_TOKEN = 'please pass this in a PUT request';
const PHONES = ['work', 'mobile', 'home', 'other'] as const;

export function readMe(me: Reading): Me {
  const link = (rel: string): string | undefined => me.optionalLink(rel);
  return {
    ...person(me, 'officeLocation'),
    href: me.link('self'),
    links: present({
      photo: link('photo'),
      makeMeAvailable: link('makeMeAvailable'),
      presence: link('presence'),
      note: link('note'),
      location: link('location'),
      reportMyActivity: link('reportMyActivity'),
    }),
  };
}

export function readContact(contact: Reading): Contact {
  return {
    rel: 'contact',
    ...person(contact, 'office'),
    href: contact.link('self'),
    links: {
      photo: contact.link('contactPhoto'),
      presence: contact.link('contactPresence'),
      note: contact.link('contactNote'),
      location: contact.link('contactLocation'),
    },
  };
}

export function readPresence(presence: Reading): Presence {
  const lastActive = presence.optionalTime('lastActive');
  return {
    availability: presence.oneOf('availability', AVAILABILITIES),
    activity: presence.text('activity'),
    ...present({ lastActive }),
  };
}

export function readGroup(group: Reading): Group {
  const [putToken] = group.namesOf(PUT_TOKEN);
  return {
    rel: group.oneOf('rel', ['pinnedGroup', 'defaultGroup', 'group']),
    href: group.link('self'),
    id: group.text('id'),
    name: group.text('name'),
    contacts: group.link('groupContacts'),
    etag: group.text('etag'),
    ...present({ putToken }),
  };
}

export function readMembership(membership: Reading): Membership {
  const group = ['pinnedGroup', 'defaultGroup'].map((rel) => membership.optionalLink(rel)).find(Boolean);
  return {
    href: membership.link('self'),
    contact: membership.link('contact'),
    group: group ?? membership.link('group'),
  };
}

function person(reading: Reading, office: string): Person {
  const phones = PHONES.flatMap((kind) => {
    const number = reading.optionalText(`${kind}PhoneNumber`);
    return number === undefined ? [] : [{ kind, number: number.replace(/^tel:/, '') }];
  });
  return {
    uri: reading.text('uri'),
    name: reading.text('name'),
    ...present({
      mail: reading.texts('emailAddresses')[0],
      title: reading.optionalText('title'),
      department: reading.optionalText('department'),
      company: reading.optionalText('company'),
      office: reading.optionalText(office),
    }),
    phones,
  };
}
