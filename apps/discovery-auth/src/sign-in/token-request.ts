import { InterfaceError, type ErrorRow } from '@ringdown/http-server';
import { NO_STORE, tokenErrors } from './token-errors.js';

/** A request of the password grant (spec, "Token request"). */
export interface PasswordGrant {
  readonly username: string;
  readonly password: string;
}

/** Longer names and passwords are mistakes or attacks. */
const MAX_LENGTH = 1024;

/**
 * Reads a token request. Names of parameters are taken in any case, as real clients differ; any spelling of the charset
 * is fine, as UTF-8 is meant by all; unknown parameters are ignored; an empty one counts as left out, a repeated one is
 * an error (RFC 6749, section 3.2). Throws {@link InterfaceError} with a row of {@link tokenErrors}.
 */
export function readTokenRequest(contentType: string | undefined, body: Buffer | undefined): PasswordGrant {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType && mediaType !== 'application/x-www-form-urlencoded') refuse(tokenErrors.wrongMediaType);
  const parameters = readParameters(body);
  const grantType = parameters.get('grant_type') ?? missing('grant_type');
  if (grantType.toLowerCase() !== 'password') refuse(tokenErrors.unsupportedGrantType);
  const scope = parameters.get('scope');
  if (scope !== undefined && scope !== 'all') refuse(tokenErrors.invalidScope);
  const username = parameters.get('username') ?? missing('username');
  const password = parameters.get('password') ?? missing('password');
  if (username.length > MAX_LENGTH || password.length > MAX_LENGTH) {
    refuse(tokenErrors.invalidRequest, `username and password have at most ${MAX_LENGTH} characters`);
  }
  return { username, password };
}

function readParameters(body: Buffer | undefined): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(body?.toString('utf8') ?? '')) {
    const key = name.toLowerCase();
    if (parameters.has(key)) refuse(tokenErrors.invalidRequest, 'a parameter is given more than once');
    parameters.set(key, value);
  }
  return new Map([...parameters].filter(([, value]) => value !== ''));
}

function missing(name: string): never {
  return refuse(tokenErrors.invalidRequest, `${name} is missing`);
}

function refuse(row: ErrorRow, message?: string): never {
  throw new InterfaceError(row, { headers: NO_STORE, ...(message === undefined ? {} : { message }) });
}
