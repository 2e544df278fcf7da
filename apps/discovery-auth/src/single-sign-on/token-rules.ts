import { isMisleading } from '@ringdown/directory';
import type { JWTHeaderParameters, JWTPayload } from 'jose';
import { hash } from 'node:crypto';

/** A token whose signature, issuer and times are right. */
export interface VerifiedToken {
  readonly header: Pick<JWTHeaderParameters, 'alg' | 'typ'>;
  readonly claims: JWTPayload;
}

/** What this server requires of a token beyond that. */
export interface TokenPurpose {
  /** Our names at the provider. */
  readonly audiences: readonly string[];
  /** Whether the token is the answer to a sign-in, whose nonce was compared. */
  readonly isAnswer: boolean;
  /** The access token that the provider has sent with this token. */
  readonly accessToken?: string | undefined;
  /** Seconds since 1970. */
  readonly issuedBefore: number;
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
  ['sub', namesAccount],
  // RFC 7519 leaves it open what a time of issue in the future means: the clocks differ, as for `nbf`.
  ['iat', ({ claims: { iat = 0 } }, { issuedBefore }) => iat <= issuedBefore],
  ['at_hash', belongsToAccessToken],
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

/** At most 255 characters (OpenID Connect Core, section 2), which administrators are shown. */
function namesAccount({ claims: { sub } }: VerifiedToken): boolean {
  return typeof sub === 'string' && sub !== '' && sub.length <= 255 && !isMisleading(sub);
}

/** OpenID Connect Core, section 3.1.3.6: the first half of the digest that belongs to the algorithm of the signature. */
function belongsToAccessToken({ header, claims }: VerifiedToken, { accessToken }: TokenPurpose): boolean {
  if (claims['at_hash'] === undefined || accessToken === undefined) return true;
  // EdDSA and Ed25519 hash with SHA-512 themselves (RFC 8032, section 5.1).
  const [bits = '512'] = /(?:256|384|512)$/.exec(header.alg ?? '') ?? [];
  const digest = hash(`sha${bits}`, accessToken, 'buffer');
  return claims['at_hash'] === digest.subarray(0, digest.length / 2).toString('base64url');
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
