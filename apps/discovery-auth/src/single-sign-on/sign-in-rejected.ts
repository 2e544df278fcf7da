import { errors } from 'jose';

/** Why a sign-in is rejected, for clients with their own words for it. */
export type Rejection =
  | 'CodeRejected'
  | 'ForeignAnswer'
  | 'TokenExpired'
  | 'TokenInvalid'
  | 'NoPerson'
  | 'PersonUnknown'
  | 'OtherAccount'
  | 'NameNotPossible'
  | 'PersonBlocked';

/** A code or a token that the provider or we reject; the message is for the client. */
export class SignInRejected extends Error {
  override readonly name = 'SignInRejected';

  constructor(
    readonly rejection: Rejection,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What jose finds wrong about a token; undefined when the keys of the provider are the reason. */
export function tokenRejection(cause: unknown): SignInRejected | undefined {
  if (!isAboutToken(cause)) return undefined;
  const rejection = cause instanceof errors.JWTExpired ? 'TokenExpired' : 'TokenInvalid';
  return new SignInRejected(rejection, wordsFor(cause), { cause });
}

/** Otherwise the keys could not be read. */
function isAboutToken(error: unknown): boolean {
  const { JOSEError, JWKSInvalid, JWKSTimeout } = errors;
  if (!(error instanceof JOSEError) || error instanceof JWKSInvalid || error instanceof JWKSTimeout) return false;
  return error.code !== 'ERR_JOSE_GENERIC';
}

function wordsFor(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'The token of the sign-in provider has expired.';
  if (error instanceof errors.JWTClaimValidationFailed) {
    return `The token of the sign-in provider has a wrong claim: ${error.claim}.`;
  }
  if (error instanceof errors.JWKSNoMatchingKey) return 'The token is not signed with a key of the sign-in provider.';
  return 'The token is not a valid token of the sign-in provider.';
}
