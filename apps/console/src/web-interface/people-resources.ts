// not shown: values of the web interface
import { withoutUndefined } from './without-undefined.js';
import type { JsonReader } from './json-reader.js';

/** Values that a person chooses, and those set by inactivity and calls (web-interface.md, section 5). */
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

/** The signed-in user. Actions without a link are not possible now. */
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
  /** Readable text, or one of the tokens `on-the-phone` and `off-work`. */
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
  /** Name of the field that a change has to send back; undefined for the two standard groups. */
  readonly putToken?: string;
}

/** A contact's membership in a group; both are links. */
export interface Membership {
  readonly href: string;
  readonly contact: string;
  readonly group: string;
}

const PUT_TOKEN = 'please pass this in a PUT request';
const PHONES = ['work', 'mobile', 'home', 'other'] as const;

export function readMe(me: JsonReader): Me {
  const link = (rel: string): string | undefined => me.optionalLink(rel);
  return {
    ...person(me, 'officeLocation'),
    href: me.link('self'),
    links: withoutUndefined({
      photo: link('photo'),
      makeMeAvailable: link('makeMeAvailable'),
      presence: link('presence'),
      note: link('note'),
      location: link('location'),
      reportMyActivity: link('reportMyActivity'),
    }),
  };
}

export function readContact(contact: JsonReader): Contact {
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

export function readPresence(presence: JsonReader): Presence {
  const lastActive = presence.optionalTime('lastActive');
  return {
    availability: presence.oneOf('availability', AVAILABILITIES),
    activity: presence.text('activity'),
    ...withoutUndefined({ lastActive }),
  };
}

export function readGroup(group: JsonReader): Group {
  const [putToken] = group.namesOf(PUT_TOKEN);
  return {
    rel: group.oneOf('rel', ['pinnedGroup', 'defaultGroup', 'group']),
    href: group.link('self'),
    id: group.text('id'),
    name: group.text('name'),
    contacts: group.link('groupContacts'),
    etag: group.text('etag'),
    ...withoutUndefined({ putToken }),
  };
}

export function readMembership(membership: JsonReader): Membership {
  const group = ['pinnedGroup', 'defaultGroup'].map((rel) => membership.optionalLink(rel)).find(Boolean);
  return {
    href: membership.link('self'),
    contact: membership.link('contact'),
    group: group ?? membership.link('group'),
  };
}

function person(reading: JsonReader, office: string): Person {
  const phones = PHONES.flatMap((kind) => {
    const number = reading.optionalText(`${kind}PhoneNumber`);
    return number === undefined ? [] : [{ kind, number: number.replace(/^tel:/, '') }];
  });
  return {
    uri: reading.text('uri'),
    name: reading.text('name'),
    ...withoutUndefined({
      mail: reading.texts('emailAddresses')[0],
      title: reading.optionalText('title'),
      department: reading.optionalText('department'),
      company: reading.optionalText('company'),
      office: reading.optionalText(office),
    }),
    phones,
  };
}
