import { TEXT_LIMITS } from '@ringdown/xml-schemas/fields';
import { keptText } from '../collections/kept.js';
import type { SipMessage } from '../sip/sip-message.js';
import type { TrackedCall } from './tracked-call.js';

/** Calls that are over and whose Call-ID may be used again; beyond that the oldest is forgotten. */
const REMEMBERED = 20_000;
/** Calls of one Call-ID, with those that have just ended: each message of them looks through all. */
const MOST_OF_ONE_ID = 128;

/** What tells the calls of one Call-ID apart. */
interface Use {
  readonly tag: string | undefined;
  readonly cseq: number;
}

/**
 * The calls of a front end by their CallId. That is the Call-ID, and of a later call with the same Call-ID also the tag of its
 * caller: some phones and load generators use a Call-ID again (RFC 3261, 12: a dialog is Call-ID and both tags).
 */
export class TrackedCalls {
  private readonly calls = new Map<string, TrackedCall>();
  /** By Call-ID: the CallIds of its later calls, the newest last. */
  private readonly later = new Map<string, readonly string[]>();
  /** The last use of a Call-ID whose calls are over and forgotten. */
  private readonly over = new Map<string, Use>();

  get size(): number {
    return this.calls.size;
  }

  /** The oldest first. */
  values(): MapIterator<TrackedCall> {
    return this.calls.values();
  }

  /** By CallId. */
  get(callId: string): TrackedCall | undefined {
    return this.calls.get(callId);
  }

  /** By Call-ID: the newest. */
  newestOf(sipCallId: string): TrackedCall | undefined {
    return this.callsOf(sipCallId).next().value;
  }

  /** The call of a message: with a tag of it, else with one of a hop of it, else the newest of its Call-ID. */
  find(message: SipMessage): TrackedCall | undefined {
    const { callId } = message;
    if (!this.later.has(callId)) return this.calls.get(callId);
    const calls = [...this.callsOf(callId)];
    const withTags = (of: 'parties' | 'hop'): TrackedCall | undefined =>
      calls.find(({ call }) => call.tagsOf(message) === of);
    return withTags('parties') ?? withTags('hop') ?? calls[0];
  }

  /** The CallId of a call that this message begins. Undefined: nothing tells it from an earlier one. */
  idFor({ callId, from, cseq }: SipMessage): string | undefined {
    const before = this.over.get(callId);
    if (!before && !this.calls.has(callId)) return keptText(callId);
    if ((this.later.get(callId)?.length ?? 0) >= MOST_OF_ONE_ID) return undefined;
    const withTag = `${callId};from-tag=${from.tag ?? ''}`;
    const isTagNew = before?.tag !== from.tag && !this.callsOf(callId).some(({ call }) => call.callersTag === from.tag);
    const id = isTagNew ? withTag : `${withTag};cseq=${cseq}`;
    const isNew = isTagNew || (before?.cseq !== cseq && !this.calls.has(id));
    return isNew && id.length <= TEXT_LIMITS.identifier.characters ? keptText(id) : undefined;
  }

  add(tracked: TrackedCall, sipCallId: string): void {
    const { callId } = tracked;
    this.calls.set(callId, tracked);
    if (callId === sipCallId) return;
    const key = keptText(sipCallId);
    this.later.set(key, [...(this.later.get(key) ?? []), callId]);
  }

  /** `sipCallId`: of all its calls. */
  delete({ callId, sipCallId, call }: TrackedCall): void {
    this.calls.delete(callId);
    const others = this.later.get(sipCallId)?.filter((id) => id !== callId);
    if (others?.length === 0) this.later.delete(sipCallId);
    else if (others) this.later.set(sipCallId, others);
    this.over.delete(sipCallId);
    this.over.set(sipCallId, { tag: call.callersTag, cseq: call.invitedWith });
    const [oldest] = this.over.keys();
    if (this.over.size > REMEMBERED && oldest !== undefined) this.over.delete(oldest);
  }

  /** The newest first. */
  private *callsOf(sipCallId: string): Generator<TrackedCall> {
    for (const id of [sipCallId, ...(this.later.get(sipCallId) ?? [])].toReversed()) {
      const tracked = this.calls.get(id);
      if (tracked) yield tracked;
    }
  }
}
