import { InterfaceError, type ErrorRow } from '@ringdown/web-server';
import type { WebNames } from '@ringdown/vendor-profile';
import { tokenErrors } from './token-errors.js';

/** A user of the directory signs in (spec, "Token request"). */
export interface PasswordGrant {
  readonly type: 'password';
  readonly username: string;
  readonly password: string;
}

/** A guest joins a meeting (web-interface.md, section 2). */
export interface MeetingGrant {
  readonly type: 'meeting';
  readonly conferenceUri: string;
  readonly conferenceId: string;
  /** The token whose identity the guest wants to keep. */
  readonly renewed?: string;
}

export type TokenGrant = PasswordGrant | MeetingGrant;

/** Longer names, passwords and tokens are mistakes or attacks. */
const MAX_LENGTH = 1024;

/**
 * The content of a token request, from the parameters of its form; unknown ones are ignored. Throws {@link
 * InterfaceError} with a row of {@link tokenErrors}. This is the only input of clients without a class: the names of
 * the parameters come from the vendor profile, the grant decides which of them are required, and each error has its own
 * code (RFC 6749, section 5.2), of which the first in this order counts.
 */
export function readGrant(parameters: ReadonlyMap<string, string>, web: WebNames): TokenGrant {
  const grantType = required(parameters, 'grant_type').toLowerCase();
  const read = new Map<string, (parameters: ReadonlyMap<string, string>, web: WebNames) => TokenGrant>([
    ['password', passwordGrant],
    [`${web.grantPrefix}anonmeeting`.toLowerCase(), meetingGrant],
  ]).get(grantType);
  if (read === undefined) return reject(tokenErrors.unsupportedGrantType);
  const scope = parameters.get('scope');
  if (scope !== undefined && scope !== 'all') reject(tokenErrors.invalidScope);
  return read(parameters, web);
}

function passwordGrant(parameters: ReadonlyMap<string, string>): PasswordGrant {
  return { type: 'password', username: required(parameters, 'username'), password: required(parameters, 'password') };
}

function meetingGrant(parameters: ReadonlyMap<string, string>, web: WebNames): MeetingGrant {
  const renewed = parameters.get(web.renewField.toLowerCase());
  return {
    type: 'meeting',
    conferenceUri: required(parameters, web.conferenceUriField.toLowerCase()),
    conferenceId: required(parameters, 'password'),
    ...(renewed === undefined ? {} : { renewed }),
  };
}

/** A required parameter. */
export function required(parameters: ReadonlyMap<string, string>, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) return reject(tokenErrors.invalidRequest, `${name} is missing`);
  if (value.length > MAX_LENGTH) reject(tokenErrors.invalidRequest, `${name} has at most ${MAX_LENGTH} characters`);
  return value;
}

function reject(row: ErrorRow, message?: string): never {
  throw new InterfaceError(row, message === undefined ? {} : { message });
}
