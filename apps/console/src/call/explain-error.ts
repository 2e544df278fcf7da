import type { CallError } from '../api/answers.js';
import { texts } from '../texts/call.js';

/** What a SIP status means for the parties of a call (RFC 3261, section 21, and extensions). */
const MEANINGS: Readonly<Record<number, string>> = texts.statuses;
const CLASSES: Readonly<Record<number, string>> = texts.statusClasses;

/** An error in one sentence for readers who do not know SIP; undefined if there is nothing to add. */
export function explainError({ code }: Pick<CallError, 'code'>): string | undefined {
  if (code === null) return undefined;
  return MEANINGS[code] ?? CLASSES[Math.floor(code / 100)];
}
