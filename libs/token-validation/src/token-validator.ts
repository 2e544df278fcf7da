import { RefreshAheadCache } from '@ringdown/concurrency';
import { TOKENS_INTROSPECT_PATTERN, TOKENS_REVOKED_SUBJECT } from '@ringdown/contracts/tokens';
import type { Bus } from '@ringdown/nats';
import { Fault } from '@ringdown/web-server/errors';
import { LRUCache } from 'lru-cache';
import type { IntrospectionReply, IntrospectionRequest, Principal } from './principal.js';
import { tokenHash } from './token-hash.js';

export interface TokenValidatorOptions {
  readonly bus: Bus;
  /** The time in milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * How long an answer is cached. A revocation is broadcast and takes effect at once; a replica that does not get the
 * broadcast notices it within this time.
 */
const MAX_AGE_MS = 900;
/** Longer than a request to the token service can be under way. */
const REVOKED_MS = 10_000;
const MAX_REVOKED = 10_000;
const REPLY_MS = 5_000;

/** Validates tokens by requests to the token service over the bus, with a short cache that a revocation clears. */
export class TokenValidator {
  private readonly cache = new RefreshAheadCache<Principal>({
    load: (hash) => this.introspect({ tokenHash: hash }),
    maxAgeMs: MAX_AGE_MS,
  });
  /** Hashes of tokens that were just revoked: an earlier reply may still be under way. */
  private readonly revoked = new LRUCache<string, true>({ max: MAX_REVOKED, ttl: REVOKED_MS });
  /** Called when the token with this hash is revoked. */
  private readonly listeners = new Map<string, Set<() => void>>();
  private readonly bus: Bus;
  private readonly now: () => number;
  private readonly unsubscribe: () => void;

  constructor({ bus, now = Date.now }: TokenValidatorOptions) {
    this.bus = bus;
    this.now = now;
    this.unsubscribe = bus.subscribe(TOKENS_REVOKED_SUBJECT, (message) => this.onRevoked(message));
  }

  /** Null for a token that is not valid. Throws {@link Fault} `unavailable` when the token service does not reply. */
  check(token: string): Promise<Principal | null> {
    return this.checkHash(tokenHash(token));
  }

  /** Like {@link check}, for the {@link tokenHash} of a token. */
  async checkHash(hash: string): Promise<Principal | null> {
    const principal = await this.cache.get(hash);
    if (principal === undefined || principal.expiresAt <= this.now() || this.revoked.has(hash)) return null;
    return principal;
  }

  /**
   * Calls back when a token is revoked, at once for a token that was just revoked; returns the function that
   * unsubscribes. For long responses: a replica that does not get the broadcast notices the revocation only through
   * {@link check}.
   */
  whenRevoked(token: string, callback: () => void): () => void {
    const hash = tokenHash(token);
    const ofToken = this.listeners.get(hash) ?? new Set();
    this.listeners.set(hash, ofToken.add(callback));
    if (this.revoked.has(hash)) callback();
    return () => {
      ofToken.delete(callback);
      if (ofToken.size === 0 && this.listeners.get(hash) === ofToken) this.listeners.delete(hash);
    };
  }

  close(): void {
    this.unsubscribe();
  }

  private async introspect(request: IntrospectionRequest): Promise<Principal | undefined> {
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- sent by discovery-auth, a part of the same product
      const reply = (await this.bus.requestWithRetry(
        TOKENS_INTROSPECT_PATTERN,
        request,
        REPLY_MS,
      )) as IntrospectionReply;
      return reply.principal ?? undefined;
    } catch (cause) {
      throw new Fault('unavailable', {
        message: 'The token service does not respond.',
        headers: { 'retry-after': '2' },
        cause,
      });
    }
  }

  private onRevoked(message: unknown): void {
    if (typeof message === 'object' && message !== null && 'tokenHash' in message) {
      const hash = String(message.tokenHash);
      this.revoked.set(hash, true);
      this.cache.forget(hash);
      for (const callback of this.listeners.get(hash) ?? []) callback();
    }
  }
}
