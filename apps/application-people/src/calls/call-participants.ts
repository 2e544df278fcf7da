import type { CallOutline } from '@ringdown/contracts/calls';
import { callKeyOf } from './participants.js';

/** A call and the people who talk in it. */
export interface CallWithParticipants {
  readonly call: CallOutline;
  readonly participants: readonly string[];
}

interface KnownCall {
  readonly version: number;
  readonly participants: readonly string[];
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

/**
 * The people who talk in each call, computed from changes that may arrive late, twice or never, and from complete lists
 * that are slightly old when they arrive. Calls that are over are remembered until the next list, so that an older list
 * does not restore them.
 */
export class CallParticipants {
  private readonly calls = new Map<string, KnownCall>();
  private readonly byPerson = new Map<string, Set<string>>();

  /** Everyone who is in a call, by SIP address. */
  get people(): readonly string[] {
    return [...this.byPerson.keys()];
  }

  /** Keys of the calls in which the person talks, in a fixed order. */
  of(sipAddress: string): readonly string[] {
    return [...(this.byPerson.get(sipAddress) ?? [])].toSorted();
  }

  /** Applies one change; returns the people whose calls have changed. */
  apply({ call, participants }: CallWithParticipants, now: number): readonly string[] {
    const key = callKeyOf(call);
    const known = this.calls.get(key);
    if (known !== undefined && known.version >= call.version) return [];
    return this.set(key, { version: call.version, participants, receivedAt: now });
  }

  /**
   * Applies a list of all calls in progress at `requestedAt`; a call that is not in it, and was not reported since, is
   * over.
   */
  applyAll(calls: readonly CallWithParticipants[], requestedAt: number): void {
    for (const call of calls) this.apply(call, requestedAt);
    const listed = new Set(calls.map(({ call }) => callKeyOf(call)));
    for (const [key, { version, receivedAt }] of this.calls) {
      if (listed.has(key) || receivedAt >= requestedAt) continue;
      this.set(key, { version, participants: [], receivedAt });
      this.calls.delete(key);
    }
  }

  private set(key: string, call: KnownCall): readonly string[] {
    const before = this.calls.get(key)?.participants ?? [];
    this.calls.set(key, call);
    const left = before.filter((participant) => !call.participants.includes(participant));
    const joined = call.participants.filter((participant) => !before.includes(participant));
    for (const participant of left) this.leave(participant, key);
    for (const participant of joined)
      this.byPerson.set(participant, (this.byPerson.get(participant) ?? new Set()).add(key));
    return [...left, ...joined];
  }

  private leave(participant: string, key: string): void {
    const calls = this.byPerson.get(participant);
    calls?.delete(key);
    if (calls?.size === 0) this.byPerson.delete(participant);
  }
}
