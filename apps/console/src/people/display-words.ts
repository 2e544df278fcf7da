import type { Group, Presence } from '../web-interface/index.js';
import { texts } from '../texts/people.js';

/** The activities that are tokens, not words (web-interface.md, section 5). */
const ACTIVITY_WORDS: Readonly<Record<string, string>> = texts.activities;

export function presenceWords(presence: Presence | undefined): string {
  if (presence === undefined) return texts.presenceNotKnown;
  return ACTIVITY_WORDS[presence.activity] ?? texts.availabilities[presence.availability];
}

const FAILURES: Readonly<Record<string, (name: string) => string>> = texts.failures;

/** The server names the two standard groups in English; other names were entered by people. */
export function groupName({ rel, name }: Pick<Group, 'rel' | 'name'>): string {
  return rel === 'group' ? name : texts.standardGroups[rel];
}

/** Why something was not delivered, for the user. */
export function failureWords(reason: { readonly subcode?: string } | undefined, name: string): string {
  return FAILURES[reason?.subcode ?? '']?.(name) ?? texts.deliveries.failed;
}

/** `Alice Archer` → `AA`; the mark of a guest is no part of the name. */
export function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '' && !word.startsWith('('));
  return [words[0], words.length > 1 ? words.at(-1) : undefined].map((word = '') => Array.from(word)[0] ?? '').join('');
}
