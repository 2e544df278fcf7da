import { InterfaceError, type ErrorRow } from './errors.js';

/** The errors of requests that change what has an entity tag. */
export const preconditionErrors = {
  preconditionFailed: {
    status: 412,
    code: 'precondition-failed',
    message: 'It has changed since it was read, or was deleted; read it again.',
  },
  preconditionRequired: {
    status: 428,
    code: 'precondition-required',
    message: 'A change needs the header If-Match with the etag from the last reading.',
  },
} as const satisfies Record<string, ErrorRow>;

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
  if (!tags.includes(etag) && !tags.includes('*')) throw new InterfaceError(preconditionErrors.preconditionFailed);
}

/** As {@link checkMatch}, for a request that needs the header. */
export function requireMatch(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined) throw new InterfaceError(preconditionErrors.preconditionRequired);
  checkMatch(ifMatch, etag);
}
