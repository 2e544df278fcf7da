import type { ObservedMessage } from './observed-message.js';
import { REQUEST_TERMINATED } from './outcome.js';

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
  private readonly ofCall = new Map<string, ObservedMessage[]>();
  private waiting = 0;
  private oldestAt = Number.POSITIVE_INFINITY;

  /** Returns whether there is room. */
  add(observed: ObservedMessage): boolean {
    const { callId } = observed.message;
    const others = this.ofCall.get(callId) ?? [];
    if (this.waiting >= MOST || others.length >= MOST_OF_CALL) return false;
    this.oldestAt = Math.min(this.oldestAt, observed.arrivedAt);
    this.put(callId, [...others, observed]);
    return true;
  }

  /** The first message of the call that need not wait any more. */
  take(callId: string, isReady: (observed: ObservedMessage) => boolean): ObservedMessage | undefined {
    const others = this.waiting === 0 ? undefined : this.ofCall.get(callId);
    const found = others?.find(isReady);
    if (others && found) {
      this.put(
        callId,
        others.filter((each) => each !== found),
      );
    }
    return found;
  }

  /** Those that have waited long enough. */
  takeDue(now: number): readonly ObservedMessage[] {
    if (now - this.oldestAt < EARLY_WAIT_MS) return [];
    const due: ObservedMessage[] = [];
    for (const [callId, each] of this.ofCall) {
      const taken = dueOf(each, now);
      due.push(...taken);
      this.put(
        callId,
        each.filter((observed) => !taken.includes(observed)),
      );
    }
    this.oldestAt = Math.min(...[...this.ofCall.values()].map(([first]) => first?.arrivedAt ?? now));
    return due;
  }

  private put(callId: string, messages: ObservedMessage[]): void {
    this.waiting += messages.length - (this.ofCall.get(callId)?.length ?? 0);
    if (messages.length === 0) this.ofCall.delete(callId);
    else this.ofCall.set(callId, messages);
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
