import type { Availability, ChosenAvailability, Presence } from '../web-interface/index.js';

export const CHOICE_WORDS: Readonly<Record<ChosenAvailability, string>> = {
  Online: 'Available',
  Busy: 'Busy',
  DoNotDisturb: 'Do not disturb',
  BeRightBack: 'Be right back',
  Away: 'Away',
  Offwork: 'Off work',
};

const AVAILABILITY_WORDS: Readonly<Record<Availability, string>> = {
  Online: 'Available',
  Busy: 'Busy',
  DoNotDisturb: 'Do not disturb',
  BeRightBack: 'Be right back',
  Away: 'Away',
  Offline: 'Offline',
  IdleOnline: 'Inactive',
  IdleBusy: 'Busy, inactive',
};

/** The activities that are tokens, not words (web-interface.md, section 5). */
const ACTIVITY_WORDS: Readonly<Record<string, string>> = {
  'on-the-phone': 'In a call',
  'off-work': 'Off work',
  'in-a-meeting': 'In a meeting',
  'in-a-conference': 'In a conference',
  'urgent-interruptions-only': 'Urgent interruptions only',
  presenting: 'Presenting',
};

export function presenceWords(presence: Presence | undefined): string {
  if (presence === undefined) return 'Not known yet';
  return ACTIVITY_WORDS[presence.activity] ?? AVAILABILITY_WORDS[presence.availability];
}

const FAILURES: Readonly<Record<string, (name: string) => string>> = {
  Declined: (name) => `${name} declined`,
  TemporarilyUnavailable: (name) => `${name} is not signed in`,
  Timeout: (name) => `${name} did not answer`,
  Busy: (name) => `${name} is busy`,
  DoNotDisturb: (name) => `${name} is in do-not-disturb mode`,
  DestinationNotFound: (name) => `${name} cannot be reached here`,
  Canceled: () => 'withdrawn',
};

/** Why something was not delivered, for the user. */
export function failureWords(reason: { readonly subcode?: string } | undefined, name: string): string {
  return FAILURES[reason?.subcode ?? '']?.(name) ?? 'not delivered';
}

/** `Alice Archer` → `AA`; the mark of a guest is no part of the name. */
export function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '' && !word.startsWith('('));
  return [words[0], words.length > 1 ? words.at(-1) : undefined].map((word = '') => Array.from(word)[0] ?? '').join('');
}
