import type { WebNames } from '@ringdown/vendor-profile';
import type { IncomingHttpHeaders } from 'node:http';

/** The longest token that is accepted; ours are far shorter. */
const MAX_TOKEN = 1_024;

/**
 * The token of a request: `Authorization: Bearer <token>`, or the web-ticket header of the profile (openapi.yaml).
 * Undefined when there is none or it cannot be one.
 */
export function bearerToken(headers: IncomingHttpHeaders, web: WebNames): string | undefined {
  const ticket = headers[`${web.headerPrefix}WebTicket`.toLowerCase()];
  const fromHeader = headers.authorization === undefined ? ticket : /^bearer +(\S+)$/i.exec(headers.authorization)?.[1];
  const token = Array.isArray(fromHeader) ? fromHeader[0] : fromHeader;
  return token === undefined || token.length === 0 || token.length > MAX_TOKEN ? undefined : token;
}
