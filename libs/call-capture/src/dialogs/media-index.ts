import { keptList } from '../collections/kept.js';
import type { NewKeys } from '../placement/call-evidence.js';
import { addressKey, hostPairKey, type MediaPacket } from '../placement/media-packet.js';

/** Of each call and kind. More come only from floods: a call has two sides with a few media, and a relay between. */
const KEYS_OF_CALL = 64;
const NONE: ReadonlySet<string> = new Set();

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

/** A key belongs to the call that used it last. */
class LastUsers {
  private readonly ofKey = new Map<string, string>();
  private readonly ofCall = new KeysOfCalls();

  add(callId: string, keys: readonly string[]): void {
    if (keys.length === 0) return;
    for (const key of this.ofCall.add(callId, keys)) this.ofKey.set(key, callId);
  }

  remove(callId: string): void {
    for (const key of this.ofCall.remove(callId)) {
      if (this.ofKey.get(key) === callId) this.ofKey.delete(key);
    }
  }

  userOf(key: string): string | undefined {
    return this.ofKey.get(key);
  }
}

/** A key that several calls use identifies none of them. */
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

  onlyUserOf(key: string): ReadonlySet<string> {
    const users = this.ofKey.get(key);
    return users?.size === 1 ? users : NONE;
  }
}

/** The call of a packet by its addresses and SSRCs: reports may not identify their call in any other way. */
export class MediaIndex {
  private readonly named = new LastUsers();
  private readonly latched = new LastUsers();
  private readonly natted = new LastUsers();
  /** Senders that are not random use the same SSRC in many calls. */
  private readonly streams = new SharedKeys();
  private readonly hostPairs = new SharedKeys();

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
    const addresses = [source, destination].flatMap((each) => (each ? addressKey(each) : []));
    for (const index of [this.named, this.latched, this.natted]) {
      const found = addresses.flatMap((key) => index.userOf(key) ?? []);
      if (found.length > 0) return new Set(found);
    }
    const bySsrc = [...ssrcs, ...reportedSsrcs].flatMap((ssrc) => [...this.streams.onlyUserOf(`${ssrc}`)]);
    if (bySsrc.length > 0 || !source || !destination) return new Set(bySsrc);
    return this.hostPairs.onlyUserOf(hostPairKey(source.ip, destination.ip));
  }
}
