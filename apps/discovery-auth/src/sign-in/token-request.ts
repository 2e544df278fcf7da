import { InterfaceError, type ErrorRow } from '@ringdown/web-server';
import type { WebNames } from '@ringdown/vendor-profile';
import { tokenErrors } from './token-errors.js';

/** Somebody of the directory signs in (spec, "Token request"). */
export interface PasswordGrant {
  readonly type: 'password';
  readonly username: string;
  readonly password: string;
}

/** A guest comes into a meeting (web-interface.md, section 2). */
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
 * What a token request asks for, by the parameters of its form; unknown ones are ignored. Throws {@link InterfaceError}
 * with a row of {@link tokenErrors}.
 *
 * The one input of clients that no class declares: the names of parameters are those of the vendor profile, which of them are needed
 * the grant decides, and each error has a word of its own (RFC 6749, section 5.2), of which the first in this order counts.
 */
export function readGrant(parameters: ReadonlyMap<string, string>, web: WebNames): TokenGrant {
  const grantType = needed(parameters, 'grant_type').toLowerCase();
  const read = new Map<string, (parameters: ReadonlyMap<string, string>, web: WebNames) => TokenGrant>([
    ['password', passwordGrant],
    [`${web.grantPrefix}anonmeeting`.toLowerCase(), meetingGrant],
  ]).get(grantType);
  if (read === undefined) return refuse(tokenErrors.unsupportedGrantType);
  const scope = parameters.get('scope');
  if (scope !== undefined && scope !== 'all') refuse(tokenErrors.invalidScope);
  return read(parameters, web);
}

function passwordGrant(parameters: ReadonlyMap<string, string>): PasswordGrant {
  return { type: 'password', username: needed(parameters, 'username'), password: needed(parameters, 'password') };
}

function meetingGrant(parameters: ReadonlyMap<string, string>, web: WebNames): MeetingGrant {
  const renewed = parameters.get(web.renewField.toLowerCase());
  return {
    type: 'meeting',
    conferenceUri: needed(parameters, web.conferenceUriField.toLowerCase()),
    conferenceId: needed(parameters, 'password'),
    ...(renewed === undefined ? {} : { renewed }),
  };
}

/** A parameter that has to be there. */
export function needed(parameters: ReadonlyMap<string, string>, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) return refuse(tokenErrors.invalidRequest, `${name} is missing`);
  if (value.length > MAX_LENGTH) refuse(tokenErrors.invalidRequest, `${name} has at most ${MAX_LENGTH} characters`);
  return value;
}

function refuse(row: ErrorRow, message?: string): never {
  throw new InterfaceError(row, message === undefined ? {} : { message });
}
