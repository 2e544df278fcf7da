import type { NewKeys } from '../placement/call-evidence.js';
import { addressKey, type MediaPacket } from '../placement/media-packet.js';

type Users = ReadonlySet<string>;

/** Of each call and kind. More come only from floods: a call has two sides with a few media, and a relay between. */
const KEYS_OF_CALL = 64;

/** Which calls use a key. Bounded: the keys of each call are, and calls that are over are removed. */
class KeyIndex {
  private readonly users = new Map<string, Set<string>>();
  private readonly ofCall = new Map<string, Set<string>>();

  /** `isShared`: several calls may use a key; otherwise it belongs to the last one. */
  constructor(private readonly isShared: boolean) {}

  add(callId: string, keys: readonly string[]): void {
    if (keys.length === 0) return;
    const own = this.ofCall.get(callId) ?? new Set();
    this.ofCall.set(callId, own);
    for (const key of keys) {
      if (own.size >= KEYS_OF_CALL) break;
      own.add(key);
      const users = this.isShared ? this.users.get(key) : undefined;
      this.users.set(key, (users ?? new Set()).add(callId));
    }
  }

  remove(callId: string): void {
    for (const key of this.ofCall.get(callId) ?? []) {
      const users = this.users.get(key);
      users?.delete(callId);
      if (users?.size === 0) this.users.delete(key);
    }
    this.ofCall.delete(callId);
  }

  usersOf(key: string): Users | undefined {
    return this.users.get(key);
  }
}

/** The call of a packet by its addresses and SSRCs: reports may not identify their call in any other way. */
export class MediaIndex {
  private readonly named = new KeyIndex(false);
  private readonly latched = new KeyIndex(false);
  /** Senders that are not random use the same SSRC in many calls. */
  private readonly streams = new KeyIndex(true);

  add(callId: string, { named, latched, streams }: NewKeys): void {
    this.named.add(callId, named);
    this.latched.add(callId, latched);
    this.streams.add(callId, streams);
  }

  remove(callId: string): void {
    for (const index of [this.named, this.latched, this.streams]) index.remove(callId);
  }

  /** By the strongest evidence: named addresses, latched ones, SSRCs. Several calls: the evidence contradicts itself. */
  callsOf({ source, destination, ssrcs, reportedSsrcs }: MediaPacket): Users {
    const addresses = [source, destination].flatMap((each) => (each ? addressKey(each) : []));
    for (const index of [this.named, this.latched]) {
      const found = addresses.flatMap((key) => [...(index.usersOf(key) ?? [])]);
      if (found.length > 0) return new Set(found);
    }
    const users = [...ssrcs, ...reportedSsrcs].flatMap((ssrc) => this.streams.usersOf(`${ssrc}`) ?? []);
    return new Set(users.filter(({ size }) => size === 1).flatMap((calls) => [...calls]));
  }
}
