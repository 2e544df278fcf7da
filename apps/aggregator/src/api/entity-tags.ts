import { InterfaceError } from '@ringdown/web-server';
import { queryErrors } from '../errors.js';

/**
 * Throws an {@link InterfaceError} when an `If-Match` header does not contain the entity tag (RFC 9110, section 13.1.1);
 * clients send it with and without quotes.
 */
export function checkMatch(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined) return;
  const tags = ifMatch.split(',').map((tag) => {
    const trimmed = tag.trim().replace(/^W\//, '');
    return trimmed.startsWith('"') && trimmed.endsWith('"') ? trimmed.slice(1, -1) : trimmed;
  });
  if (!tags.includes(etag) && !tags.includes('*')) throw new InterfaceError(queryErrors.preconditionFailed);
}

/** As {@link checkMatch}, for a request that needs the header. */
export function requireMatch(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined) throw new InterfaceError(queryErrors.preconditionRequired);
  checkMatch(ifMatch, etag);
}
