import type { ServerMetadata } from 'openid-client';

/** Where people are sent, and where codes and keys come from. */
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'end_session_endpoint'] as const;

/**
 * The first endpoint of a provider that is not `https:`: behind a proxy, providers name `http:` when they do not know
 * better, and whoever listens there could replace their keys. A provider on this machine may have `http:` there.
 */
export function unsafeEndpoint(
  metadata: Readonly<Pick<ServerMetadata, (typeof ENDPOINTS)[number]>>,
  isLocal: boolean,
): string | undefined {
  return ENDPOINTS.find((name) => {
    const endpoint: unknown = metadata[name];
    return endpoint !== undefined && !(typeof endpoint === 'string' && isSafe(endpoint, isLocal));
  });
}

function isSafe(endpoint: string, isLocal: boolean): boolean {
  const { protocol, hostname } = URL.parse(endpoint) ?? {};
  return protocol === 'https:' || (isLocal && protocol === 'http:' && isThisMachine(hostname ?? ''));
}

/** Whether the host of a URL is this machine. */
export function isThisMachine(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
