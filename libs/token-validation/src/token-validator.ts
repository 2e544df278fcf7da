import { TOKENS_INTROSPECT_PATTERN, TOKENS_REVOKED_SUBJECT } from '@ringdown/contracts';
import { KeptAnswers, type Bus } from '@ringdown/nats';
import { Fault } from '@ringdown/web-server';
import { LRUCache } from 'lru-cache';
import type { IntrospectionReply, IntrospectionRequest, Principal } from './principal.js';
import { tokenHash } from './token-hash.js';

export interface TokenValidatorOptions {
  readonly bus: Bus;
  /** Tells the time in milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * How long an answer is believed. A revocation shortens it to the time a broadcast takes, and reaches even those whom no
 * broadcast reaches within this time.
 */
const KEPT_MS = 900;
/** Longer than a question to the owner of tokens can be on its way. */
const REVOKED_MS = 10_000;
const MAX_REVOKED = 10_000;
const REPLY_MS = 5_000;

/** Checks tokens by asking their owner over the bus, with a short memory that a revocation empties. */
export class TokenValidator {
  private readonly kept = new KeptAnswers<Principal>({ ask: (hash) => this.ask({ tokenHash: hash }), keptMs: KEPT_MS });
  /** Hashes of tokens that were revoked just now: an answer from before may still be on its way. */
  private readonly revoked = new LRUCache<string, true>({ max: MAX_REVOKED, ttl: REVOKED_MS });
  /** Called when the token of their hash is revoked. */
  private readonly listeners = new Map<string, Set<() => void>>();
  private readonly bus: Bus;
  private readonly now: () => number;
  private readonly unsubscribe: () => void;

  constructor({ bus, now = Date.now }: TokenValidatorOptions) {
    this.bus = bus;
    this.now = now;
    this.unsubscribe = bus.subscribe(TOKENS_REVOKED_SUBJECT, (message) => this.forget(message));
  }

  /** Null for a token that is not valid. Throws {@link Fault} `unavailable` when its owner does not answer. */
  check(token: string): Promise<Principal | null> {
    return this.checkHash(tokenHash(token));
  }

  /** As {@link check}, for what {@link tokenHash} makes of a token. */
  async checkHash(hash: string): Promise<Principal | null> {
    const principal = await this.kept.get(hash);
    if (principal === undefined || principal.expiresAt <= this.now() || this.revoked.has(hash)) return null;
    return principal;
  }

  /**
   * Calls back when a token is revoked, at once for one that was revoked just now; returns how to end that. For answers
   * that go on: one whom no broadcast reaches learns of it from {@link check} alone.
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

  private async ask(request: IntrospectionRequest): Promise<Principal | undefined> {
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- sent by discovery-auth, a part of the same product
      const reply = (await this.bus.requestPatiently(
        TOKENS_INTROSPECT_PATTERN,
        request,
        REPLY_MS,
      )) as IntrospectionReply;
      return reply.principal ?? undefined;
    } catch (cause) {
      throw new Fault('unavailable', {
        message: 'The token service does not answer.',
        headers: { 'retry-after': '2' },
        cause,
      });
    }
  }

  private forget(message: unknown): void {
    if (typeof message === 'object' && message !== null && 'tokenHash' in message) {
      const hash = String(message.tokenHash);
      this.revoked.set(hash, true);
      this.kept.forget(hash);
      for (const callback of this.listeners.get(hash) ?? []) callback();
    }
  }
}
