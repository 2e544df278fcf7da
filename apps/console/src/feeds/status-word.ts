import { texts } from '../texts/feeds.js';

/** Statuses that are words, not numbers. */
const WORDS: Readonly<Record<string, string>> = { none: texts.noResponse, other: texts.other };

export function statusWord(status: string): string {
  return WORDS[status] ?? status;
}
