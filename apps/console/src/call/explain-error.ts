import type { Call, CallError } from '../api/answers.js';
import { texts } from '../texts/call.js';

/** What a SIP status means for the parties of a call (RFC 3261, section 21, and extensions). */
const MEANINGS: Readonly<Record<number, string>> = texts.statuses;
const CLASSES: Readonly<Record<number, string>> = texts.statusClasses;

/** Also when another phone has answered, or a server gave up (RFC 3261, 16.8). */
const REQUEST_TERMINATED = 487;

/** An error in one sentence for readers who do not know SIP; undefined if there is nothing to add. `by`: who ended the call. */
export function explainError(
  { code }: Pick<CallError, 'code'>,
  by: NonNullable<Call['end']>['by'] | undefined,
): string | undefined {
  if (code === null) return undefined;
  if (code === REQUEST_TERMINATED && by === 'caller') return texts.callerHungUp;
  return MEANINGS[code] ?? CLASSES[Math.floor(code / 100)];
}
