import type { WebNames } from '@ringdown/vendor-profile';
import type { FastifyRequest } from 'fastify';
import { bearerToken } from './bearer-token.js';
import type { Principal } from './principal.js';
import { tokenHash } from './token-hash.js';

const HASH = /^[0-9a-f]{64}$/;

/**
 * The cookie with which a page's `<img>` can load the photos below `path`: a browser sends no `Authorization` for it
 * (web-interface.md, section 3). It contains the hash of the request's token, gives access to nothing else, expires
 * with the token, and is hidden from scripts. It is sent across sites only if the request came from a page of another
 * origin. Undefined for a request without a token.
 */
export function photoCookie(
  request: FastifyRequest,
  { expiresAt }: Principal,
  path: string,
  web: WebNames,
): string | undefined {
  const token = bearerToken(request.headers, web);
  if (token === undefined) return undefined;
  const seconds = Math.max(0, Math.floor((expiresAt - Date.now()) / 1000));
  // Browsers without third-party cookies keep it for pages of that origin alone (CHIPS).
  const sameSite = isCrossOrigin(request, web) ? 'None; Partitioned' : 'Strict';
  const cookie = `${web.photoCookie}=${tokenHash(token)}`;
  return `${cookie}; Path=${path}; Max-Age=${seconds}; Secure; HttpOnly; SameSite=${sameSite}`;
}

/** The hash of a token in the request's cookies; undefined when the request has a token elsewhere, valid or not. */
export function photoCookieHash({ headers }: FastifyRequest, web: WebNames): string | undefined {
  if (headers.authorization !== undefined || bearerToken(headers, web) !== undefined) return undefined;
  const name = `${web.photoCookie}=`;
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  const value = cookies.find((cookie) => cookie.startsWith(name))?.slice(name.length);
  return value !== undefined && HASH.test(value) ? value : undefined;
}

/** Whether the request came from a page of another origin, directly or through the cross-frame page. */
function isCrossOrigin({ headers, host }: FastifyRequest, { headerPrefix }: WebNames): boolean {
  const origins = [headers.origin, headers[`${headerPrefix}Origin`.toLowerCase()]].flat();
  return origins.some((origin) => origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host));
}
