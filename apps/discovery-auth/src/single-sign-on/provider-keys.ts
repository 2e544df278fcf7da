import { createLocalJWKSet, createRemoteJWKSet, customFetch, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { boundedFetch } from './bounded-fetch.js';
import { PAUSE_MS, ProviderUnavailable, type ProviderOutages } from './provider-outages.js';

const MAX_AGE_MS = 10 * 60 * 1000;
/** Keys that are not known are looked for at most so often: a flood of made-up tokens must not reach the provider. */
const COOLDOWN_MS = 5_000;

export interface ProviderKeysOptions {
  /** `jwks_uri` of the provider. */
  readonly url: URL;
  readonly fetch: ReturnType<typeof boundedFetch>;
  /** Time limit for the answer. */
  readonly answerMs: number;
  readonly outages: ProviderOutages;
}

/** The keys with which the provider signs. Finding one throws {@link ProviderUnavailable} when they cannot be read. */
export function providerKeys({ url, fetch, answerMs, outages }: ProviderKeysOptions): JWTVerifyGetKey {
  let failedAt = Number.NEGATIVE_INFINITY;
  const read: typeof fetch = async (href, request) => {
    // jose pauses only after keys that it could read.
    if (performance.now() - failedAt < PAUSE_MS) throw new ProviderUnavailable('the keys have just failed to be read');
    try {
      const keys = await keysIn(await fetch(href, request));
      outages.answered('keys');
      return Response.json(keys);
    } catch (cause) {
      failedAt = performance.now();
      throw outages.failure('keys', cause);
    }
  };
  return createRemoteJWKSet(url, {
    [customFetch]: read,
    timeoutDuration: answerMs,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: MAX_AGE_MS,
  });
}

async function keysIn(response: Response): Promise<JSONWebKeySet> {
  if (response.status !== 200) throw new Error(`the keys were answered with ${response.status}`);
  const keys: JSONWebKeySet = JSON.parse(await response.text());
  // Throws for anything but a key set.
  createLocalJWKSet(keys);
  return keys;
}
