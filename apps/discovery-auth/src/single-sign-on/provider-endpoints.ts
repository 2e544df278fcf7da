import type { ServerMetadata } from 'openid-client';

/** Where people are sent, and where codes and keys come from. */
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'end_session_endpoint'] as const;

/**
 * The first endpoint of a provider with another protocol: behind a proxy, providers name `http:` when they do not know
 * better, and whoever listens there could replace their keys.
 */
export function unsafeEndpoint(
  metadata: Readonly<Pick<ServerMetadata, (typeof ENDPOINTS)[number]>>,
  protocols: readonly string[],
): string | undefined {
  return ENDPOINTS.find((name) => {
    const endpoint: unknown = metadata[name];
    if (endpoint === undefined) return false;
    return typeof endpoint !== 'string' || !URL.canParse(endpoint) || !protocols.includes(new URL(endpoint).protocol);
  });
}
