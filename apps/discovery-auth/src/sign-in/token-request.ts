import { InterfaceError, type ErrorRow } from '@ringdown/web-server/errors';
import type { WebNames } from '@ringdown/vendor-profile';
import type { AuthorizationCode } from '../single-sign-on/open-id-provider.js';
import { tokenErrors } from './token-errors.js';

/** A user of the directory signs in (web-interface.md, section 2). */
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

/** A person has signed in at the provider, which sent the page back with a code (RFC 6749, section 4.1.3; RFC 7636). */
export interface CodeGrant extends AuthorizationCode {
  readonly type: 'code';
}

/** A client has a token of the provider (RFC 8693). */
export interface ExchangeGrant {
  readonly type: 'exchange';
  readonly token: string;
}

export type TokenGrant = PasswordGrant | MeetingGrant | CodeGrant | ExchangeGrant;

/** Kinds of tokens that are exchanged; all of them must be signed ones (RFC 8693, section 3). */
const TOKEN_TYPES = ['id_token', 'jwt', 'access_token'].map((type) => `urn:ietf:params:oauth:token-type:${type}`);

/** Longer names, passwords and tokens are mistakes or attacks. */
const MAX_LENGTH = 1024;
/** With the groups of a person, tokens of providers become long. */
const MAX_TOKEN_LENGTH = 12_000;

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
    ['authorization_code', codeGrant],
    ['urn:ietf:params:oauth:grant-type:token-exchange', exchangeGrant],
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

function codeGrant(parameters: ReadonlyMap<string, string>): CodeGrant {
  const redirectUri = required(parameters, 'redirect_uri');
  if (!URL.canParse(redirectUri)) reject(tokenErrors.invalidRequest, 'redirect_uri is not a URL');
  return {
    type: 'code',
    code: required(parameters, 'code', MAX_TOKEN_LENGTH),
    codeVerifier: required(parameters, 'code_verifier'),
    redirectUri,
    nonce: optional(parameters, 'nonce'),
    issuer: optional(parameters, 'iss'),
  };
}

function exchangeGrant(parameters: ReadonlyMap<string, string>): ExchangeGrant {
  const type = required(parameters, 'subject_token_type').toLowerCase();
  if (!TOKEN_TYPES.includes(type)) {
    reject(tokenErrors.invalidRequest, `subject_token_type must be one of ${TOKEN_TYPES.join(', ')}`);
  }
  return { type: 'exchange', token: required(parameters, 'subject_token', MAX_TOKEN_LENGTH) };
}

function optional(parameters: ReadonlyMap<string, string>, name: string): string | undefined {
  return parameters.has(name) ? required(parameters, name) : undefined;
}

/** A required parameter. */
export function required(parameters: ReadonlyMap<string, string>, name: string, most = MAX_LENGTH): string {
  const value = parameters.get(name);
  if (value === undefined) return reject(tokenErrors.invalidRequest, `${name} is missing`);
  if (value.length > most) reject(tokenErrors.invalidRequest, `${name} has at most ${most} characters`);
  return value;
}

function reject(row: ErrorRow, message?: string): never {
  throw new InterfaceError(row, message === undefined ? {} : { message });
}
