import type { CallOutline } from '@ringdown/contracts';
import { callKeyOf } from './talkers.js';

/** A call and who talks in it. */
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
 * Who talks in which calls, put together of changes that may come late, twice or never, and of whole lists that are a
 * moment old when they are here. Calls that are over are remembered until the next list, so that an older one does not
 * bring them back.
 */
export class CallTalkers {
  private readonly calls = new Map<string, KnownCall>();
  private readonly byPerson = new Map<string, Set<string>>();

  /** Everybody who is in a call, by SIP address. */
  get people(): readonly string[] {
    return [...this.byPerson.keys()];
  }

  /** Keys of the calls in which somebody talks, in a fixed order. */
  of(sipAddress: string): readonly string[] {
    return [...(this.byPerson.get(sipAddress) ?? [])].toSorted();
  }

  /** Takes one change; answers whose calls have become others. */
  take({ call, talkers }: Talk, now: number): readonly string[] {
    const key = callKeyOf(call);
    const known = this.calls.get(key);
    if (known !== undefined && known.version >= call.version) return [];
    return this.set(key, { version: call.version, talkers, heardAt: now });
  }

  /** Takes a list of all calls that were going on since `askedAt`; what is not in it, and was not heard of since, is over. */
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
