import type { JWTHeaderParameters, JWTPayload } from 'jose';

/** A token whose signature, issuer and times are right. */
export interface VerifiedToken {
  readonly header: Pick<JWTHeaderParameters, 'typ'>;
  readonly claims: JWTPayload;
}

/** What this server requires of a token beyond that. */
export interface TokenPurpose {
  /** Our names at the provider. */
  readonly audiences: readonly string[];
  /** Whether the token is the answer to a sign-in, whose nonce was compared. */
  readonly isAnswer: boolean;
}

type Rule = (token: VerifiedToken, purpose: TokenPurpose) => boolean;

/** Of ID tokens and of access tokens (RFC 9068, section 2.1); others say what they are (RFC 8725, section 3.11). */
const HEADER_TYPES = [undefined, 'jwt', 'at+jwt'];
/** As Keycloak names the same two kinds; `Logout`, `Refresh` and others are not for signing in. */
const CLAIM_TYPES = [undefined, 'id', 'bearer'];

/** What each part of a token must be, so that it is meant for a sign-in here. */
const RULES: readonly (readonly [part: string, isRight: Rule])[] = [
  ['typ', hasKnownType],
  // In every security event token, such as a logout token (OpenID Connect Back-Channel Logout, section 2.4; RFC 8417, section 2.2).
  ['events', ({ claims }) => claims['events'] === undefined],
  // Its owner must show a key (RFC 7800, section 3.1), and can show none here.
  ['cnf', ({ claims }) => claims['cnf'] === undefined],
  ['sub', ({ claims: { sub } }) => typeof sub === 'string' && sub !== ''],
  // Belongs to the sign-in that has made it up, and only who began that can compare it (OpenID Connect Core, section 3.1.3.7).
  ['nonce', ({ claims }, { isAnswer }) => isAnswer || claims['nonce'] === undefined],
  ['aud', areForUs],
  ['azp', isFromOurs],
];

/** The first part of a token that is wrong for the purpose; undefined if it is right. */
export function wrongPart(token: VerifiedToken, purpose: TokenPurpose): string | undefined {
  return RULES.find(([, isRight]) => !isRight(token, purpose))?.[0];
}

function hasKnownType({ header, claims }: VerifiedToken): boolean {
  return isOneOf(HEADER_TYPES, header.typ) && isOneOf(CLAIM_TYPES, claims['typ']);
}

function isOneOf(types: readonly unknown[], given: unknown): boolean {
  return types.includes(typeof given === 'string' ? given.toLowerCase().replace(/^application\//, '') : given);
}

/**
 * One of several audiences that is not ours could sign the person in here with its copy (OpenID Connect Core, section
 * 3.1.3.7, 3). The answer to a sign-in comes from the provider itself, which may list a project beside its client.
 */
function areForUs({ claims }: VerifiedToken, { audiences, isAnswer }: TokenPurpose): boolean {
  const listed = [claims.aud ?? []].flat();
  const isOurs = (audience: string): boolean => audiences.includes(audience);
  return isAnswer ? listed.some(isOurs) : listed.length > 0 && listed.every(isOurs);
}

/**
 * For several audiences, the client that has requested the token must be ours, too (OpenID Connect Core, section
 * 3.1.3.7, 4 and 5; `client_id` in RFC 9068, section 2.2). A token that is for us alone may be requested by others.
 */
function isFromOurs({ claims }: VerifiedToken, { audiences }: TokenPurpose): boolean {
  if (!Array.isArray(claims.aud) || claims.aud.length === 1) return true;
  const client = claims['azp'] ?? claims['client_id'];
  return typeof client === 'string' && audiences.includes(client);
}
