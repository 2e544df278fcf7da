import { keptList } from '../../collections/kept.js';
import type { NewKeys } from '../../placement/call-evidence.js';
import { addressKey, hostPairKey, type MediaPacket } from '../../placement/media-packet.js';

/** Of each call and kind. More come only from floods: a call has two sides with a few media, and a relay between. */
const KEYS_OF_CALL = 64;
/** Legs of one call, and earlier calls at the same address. More come only from load generators; the last ones count. */
const CALLS_OF_KEY = 8;
const NONE: readonly string[] = [];

/** The keys of each call. Bounded. */
class KeysOfCalls {
  private readonly keys = new Map<string, string[]>();

  /** Returns the keys that there was room for. */
  add(callId: string, keys: readonly string[]): readonly string[] {
    const known = this.keys.get(callId) ?? [];
    const added = keys.slice(0, KEYS_OF_CALL - known.length);
    this.keys.set(callId, keptList([...known, ...added]));
    return added;
  }

  remove(callId: string): readonly string[] {
    const keys = this.keys.get(callId) ?? [];
    this.keys.delete(callId);
    return keys;
  }
}

/** The last calls that use a key. */
class LastUsers {
  /** Most keys have one user. */
  private readonly ofKey = new Map<string, string | readonly string[]>();
  private readonly ofCall = new KeysOfCalls();

  add(callId: string, keys: readonly string[]): void {
    if (keys.length === 0) return;
    for (const key of this.ofCall.add(callId, keys)) {
      const others = this.usersOf(key).filter((each) => each !== callId);
      this.set(key, [...others, callId].slice(-CALLS_OF_KEY));
    }
  }

  remove(callId: string): void {
    for (const key of this.ofCall.remove(callId)) {
      const users = this.usersOf(key);
      if (users.includes(callId))
        this.set(
          key,
          users.filter((each) => each !== callId),
        );
    }
  }

  /** In the order in which they began to use it. */
  usersOf(key: string): readonly string[] {
    const users = this.ofKey.get(key);
    if (users === undefined) return NONE;
    return typeof users === 'string' ? [users] : users;
  }

  private set(key: string, users: readonly string[]): void {
    const [first, ...others] = users;
    if (first === undefined) this.ofKey.delete(key);
    else this.ofKey.set(key, others.length === 0 ? first : keptList(users));
  }
}

/** A key that calls of different parties use identifies none of them. */
class SharedKeys {
  private readonly ofKey = new Map<string, Set<string>>();
  private readonly ofCall = new KeysOfCalls();

  add(callId: string, keys: readonly string[]): void {
    if (keys.length === 0) return;
    for (const key of this.ofCall.add(callId, keys)) {
      this.ofKey.set(key, (this.ofKey.get(key) ?? new Set()).add(callId));
    }
  }

  remove(callId: string): void {
    for (const key of this.ofCall.remove(callId)) {
      const users = this.ofKey.get(key);
      users?.delete(callId);
      if (users?.size === 0) this.ofKey.delete(key);
    }
  }

  /** None if there are more than the legs of one call. */
  usersOf(key: string): readonly string[] {
    const users = this.ofKey.get(key);
    return users === undefined || users.size > CALLS_OF_KEY ? NONE : [...users];
  }
}

/** The calls that use one end of a packet; the strongest evidence is 0. */
interface End {
  readonly users: readonly string[];
  readonly strength: number;
}

/** The call of a packet by its addresses and SSRCs: reports may not identify their call in any other way. */
export class MediaIndex {
  private readonly named = new LastUsers();
  private readonly latched = new LastUsers();
  private readonly natted = new LastUsers();
  /** Senders that are not random use the same SSRC in many calls. */
  private readonly streams = new SharedKeys();
  private readonly hostPairs = new SharedKeys();

  /** `areOneCall`: whether these calls are legs of one call. */
  constructor(private readonly areOneCall: (callIds: readonly string[]) => boolean) {}

  add(callId: string, { named, latched, natted, streams, hostPairs }: NewKeys): void {
    this.named.add(callId, named);
    this.latched.add(callId, latched);
    this.natted.add(callId, natted);
    this.streams.add(callId, streams);
    this.hostPairs.add(callId, hostPairs);
  }

  remove(callId: string): void {
    const { named, latched, natted, streams, hostPairs } = this;
    for (const index of [named, latched, natted, streams, hostPairs]) index.remove(callId);
  }

  /** By the strongest evidence: named addresses, latched ones, those behind NAT, SSRCs, both hosts. Several calls: the evidence contradicts itself. */
  callsOf({ source, destination, ssrcs, reportedSsrcs }: MediaPacket): ReadonlySet<string> {
    const ends = [source, destination].flatMap((each) => (each ? this.usersAt(addressKey(each)) : []));
    const byAddress = callsOfEnds(ends);
    if (byAddress.size > 0) return byAddress;
    const bySsrc = [...ssrcs, ...reportedSsrcs].flatMap((ssrc) => this.sendersOf(ssrc));
    if (bySsrc.length > 0 || !source || !destination) return new Set(bySsrc);
    const byHosts = this.hostPairs.usersOf(hostPairKey(source.ip, destination.ip));
    return new Set(byHosts.length === 1 ? byHosts : NONE);
  }

  /** None if no call uses the address. */
  private usersAt(key: string): readonly End[] {
    const all = [this.named, this.latched, this.natted].map((index, strength) => ({
      users: index.usersOf(key),
      strength,
    }));
    const strongest = all.find(({ users }) => users.length > 0);
    return strongest ? [strongest] : [];
  }

  private sendersOf(ssrc: number): readonly string[] {
    const users = this.streams.usersOf(`${ssrc}`);
    return users.length < 2 || this.areOneCall(users) ? users : NONE;
  }
}

/** A call that uses both ends counts before those that use only one; of several calls, the one that began last. */
function callsOfEnds([one, other]: readonly End[]): ReadonlySet<string> {
  if (!one || !other) return lastOf(one?.users);
  const both = one.users.filter((user) => other.users.includes(user));
  if (both.length > 0)
    return lastOf(
      both,
      other.users.filter((user) => both.includes(user)),
    );
  if (one.strength !== other.strength) return lastOf(one.strength < other.strength ? one.users : other.users);
  return lastOf(one.users, other.users);
}

function lastOf(...lists: readonly (readonly string[] | undefined)[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list?.at(-1) ?? []));
}
