import type { ObservedMessage } from './observed-message.js';
import { REQUEST_TERMINATED } from '../outcome.js';

/** Capture points and agents deliver messages of one moment within milliseconds, in any order (sipcapture/heplify#342). */
export const EARLY_WAIT_MS = 500;
const MOST_OF_CALL = 16;
const MOST = 4_096;

/**
 * Messages that were captured before the ones that they follow, such as a response before its request. They wait for these, but not
 * for long: these may not have been captured at all. Bounded.
 */
export class EarlyMessages {
  /** By Call-ID, in order of arrival. */
  private readonly ofCall = new Map<string, readonly ObservedMessage[]>();
  /** All of them, in order of arrival: the first ones are due first. */
  private readonly waiting = new Set<ObservedMessage>();

  /** Returns whether there is room. */
  add(observed: ObservedMessage): boolean {
    const { callId } = observed.message;
    const others = this.ofCall.get(callId) ?? [];
    if (this.waiting.size >= MOST || others.length >= MOST_OF_CALL) return false;
    this.waiting.add(observed);
    this.ofCall.set(callId, [...others, observed]);
    return true;
  }

  /** The first message of the call that need not wait any more. */
  take(callId: string, isReady: (observed: ObservedMessage) => boolean): ObservedMessage | undefined {
    const found = this.ofCall.get(callId)?.find(isReady);
    if (found) this.remove(found);
    return found;
  }

  /** Those that have waited long enough, call by call. */
  takeDue(now: number): readonly ObservedMessage[] {
    const calls = new Set<string>();
    for (const { arrivedAt, message } of this.waiting) {
      if (now - arrivedAt < EARLY_WAIT_MS) break;
      calls.add(message.callId);
    }
    const due = [...calls].flatMap((callId) => dueOf(this.ofCall.get(callId) ?? [], now));
    for (const observed of due) this.remove(observed);
    return due;
  }

  private remove(observed: ObservedMessage): void {
    const { callId } = observed.message;
    const others = this.ofCall.get(callId)?.filter((each) => each !== observed) ?? [];
    this.waiting.delete(observed);
    if (others.length === 0) this.ofCall.delete(callId);
    else this.ofCall.set(callId, others);
  }
}

/** Of one call. A 487 is the answer to a CANCEL, or to a BYE before the answer, which comes first and waits for that answer. */
function dueOf(waiting: readonly ObservedMessage[], now: number): readonly ObservedMessage[] {
  const due = waiting.filter(({ arrivedAt }) => now - arrivedAt >= EARLY_WAIT_MS);
  const terminated = due.filter(({ message }) => message.response?.status === REQUEST_TERMINATED);
  if (terminated.length === 0) return due;
  const before = waiting.filter(({ message }) => message.method === 'BYE' && message.response === undefined);
  return [...before, ...due.filter((each) => !before.includes(each))];
}
