import type { CallOutline } from '@ringdown/contracts/calls';
import { callKeyOf } from './talkers.js';

/** A call and the people who talk in it. */
export interface Talk {
  readonly call: CallOutline;
  readonly talkers: readonly string[];
}

interface KnownCall {
  readonly version: number;
  readonly talkers: readonly string[];
  /** Milliseconds since 1970. */
  readonly heardAt: number;
}

/**
 * The people who talk in each call, computed from changes that may arrive late, twice or never, and from complete lists
 * that are slightly old when they arrive. Calls that are over are remembered until the next list, so that an older list
 * does not restore them.
 */
export class CallTalkers {
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
  take({ call, talkers }: Talk, now: number): readonly string[] {
    const key = callKeyOf(call);
    const known = this.calls.get(key);
    if (known !== undefined && known.version >= call.version) return [];
    return this.set(key, { version: call.version, talkers, heardAt: now });
  }

  /**
   * Applies a list of all calls in progress at `askedAt`; a call that is not in it, and was not reported since, is
   * over.
   */
  takeAll(talks: readonly Talk[], askedAt: number): void {
    for (const talk of talks) this.take(talk, askedAt);
    const listed = new Set(talks.map(({ call }) => callKeyOf(call)));
    for (const [key, { version, heardAt }] of this.calls) {
      if (listed.has(key) || heardAt >= askedAt) continue;
      this.set(key, { version, talkers: [], heardAt });
      this.calls.delete(key);
    }
  }

  private set(key: string, call: KnownCall): readonly string[] {
    const before = this.calls.get(key)?.talkers ?? [];
    this.calls.set(key, call);
    const left = before.filter((talker) => !call.talkers.includes(talker));
    const joined = call.talkers.filter((talker) => !before.includes(talker));
    for (const talker of left) this.leave(talker, key);
    for (const talker of joined) this.byPerson.set(talker, (this.byPerson.get(talker) ?? new Set()).add(key));
    return [...left, ...joined];
  }

  private leave(talker: string, key: string): void {
    const calls = this.byPerson.get(talker);
    calls?.delete(key);
    if (calls?.size === 0) this.byPerson.delete(talker);
  }
}
