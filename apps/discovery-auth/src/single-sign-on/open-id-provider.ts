import { reasonOf } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';
import {
  createRemoteJWKSet,
  customFetch as keyFetch,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
} from 'jose';
import * as openid from 'openid-client';
import { boundedFetch } from './bounded-fetch.js';
import { wrongPart, type TokenPurpose } from './token-rules.js';

export interface OpenIdProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  /** Audiences for which tokens are accepted. */
  readonly audiences: readonly string[];
  /** Time limit for one answer. */
  readonly answerMs: number;
  /** How far its clock may differ. */
  readonly clockSeconds: number;
  readonly logger: Logger;
}

/** What a client has received from the provider after the person signed in there (RFC 6749, section 4.1.2; RFC 9207). */
export interface AuthorizationCode {
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  readonly nonce: string | undefined;
  readonly issuer: string | undefined;
}

/** The provider does not answer, or not as it should. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

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

/** After a failure no request is sent to the provider for this long, so that sign-ins do not queue up behind it. */
const PAUSE_MS = 2_000;
const KEYS_MAX_AGE_MS = 10 * 60 * 1000;
/** Keys that are not known are looked for at most so often: a flood of made-up tokens must not reach the provider. */
const KEYS_PAUSE_MS = 5_000;
/** Asymmetric ones only: a service that can check a token must not be able to make one. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

interface Discovered {
  readonly configuration: openid.Configuration;
  readonly keys: JWTVerifyGetKey;
}

/**
 * An OpenID Connect provider. It is discovered when it is first needed, so that sign-ins with passwords do not depend on
 * it.
 */
export class OpenIdProvider {
  private discovered: Promise<Discovered> | undefined;
  private failedAt = Number.NEGATIVE_INFINITY;
  private isDown = false;

  constructor(private readonly options: OpenIdProviderOptions) {}

  /** Its metadata (OpenID Connect Discovery, section 3). Throws {@link ProviderUnavailable}. */
  async metadata(): Promise<openid.ServerMetadata> {
    return (await this.discover()).configuration.serverMetadata();
  }

  /** The claims of the token for a code. Throws {@link SignInRejected} or {@link ProviderUnavailable}. */
  async redeem({ code, codeVerifier, redirectUri, nonce, issuer }: AuthorizationCode): Promise<JWTPayload> {
    const { configuration } = await this.discover();
    const answer = new URL(redirectUri);
    answer.search = new URLSearchParams({ code, ...(issuer === undefined ? {} : { iss: issuer }) }).toString();
    const checks: openid.AuthorizationCodeGrantChecks = {
      pkceCodeVerifier: codeVerifier,
      // The client has compared the state; it does not reach us.
      expectedState: openid.skipStateCheck,
      idTokenExpected: true,
      ...(nonce === undefined ? {} : { expectedNonce: nonce }),
    };
    const { id_token: token } = await openid
      .authorizationCodeGrant(configuration, answer, checks)
      .catch((cause: unknown) => {
        throw this.redeemFailure(cause);
      });
    if (token === undefined) throw new ProviderUnavailable('the provider has issued no ID token');
    return this.verify(token, { audiences: [this.options.clientId], isAnswer: true });
  }

  /** The claims of a token that a client has brought. Throws as {@link redeem}. */
  exchange(token: string): Promise<JWTPayload> {
    return this.verify(token, { audiences: this.options.audiences, isAnswer: false });
  }

  /**
   * The address at which the person signs out there, too, and comes back to the page that signed in; undefined if the
   * provider has none. Without `id_token_hint`: addresses are in logs, histories and Referer (OpenID Connect
   * RP-Initiated Logout, section 2: `client_id` names us instead, and the provider asks the person).
   */
  async endSessionUrl(page: string): Promise<string | undefined> {
    const { configuration } = await this.discover();
    if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
    return openid.buildEndSessionUrl(configuration, { post_logout_redirect_uri: page }).href;
  }

  /** Signature, issuer and times are checked, and what {@link wrongPart} names. */
  private async verify(token: string, purpose: TokenPurpose): Promise<JWTPayload> {
    const { keys } = await this.discover();
    const { issuer, clockSeconds: clockTolerance } = this.options;
    const rules = {
      issuer,
      audience: [...purpose.audiences],
      clockTolerance,
      algorithms: ALGORITHMS,
      requiredClaims: ['exp', 'sub'],
    };
    try {
      const { payload: claims, protectedHeader: header } = await jwtVerify(token, keys, rules);
      const wrong = wrongPart({ header, claims }, purpose);
      if (wrong === undefined) return claims;
      throw new errors.JWTClaimValidationFailed(`unexpected "${wrong}"`, claims, wrong);
    } catch (cause) {
      if (isAboutToken(cause))
        throw new SignInRejected(
          cause instanceof errors.JWTExpired ? 'TokenExpired' : 'TokenInvalid',
          wordsFor(cause),
          { cause },
        );
      throw this.unavailable(cause);
    }
  }

  private discover(): Promise<Discovered> {
    if (this.discovered !== undefined) return this.discovered;
    if (performance.now() - this.failedAt < PAUSE_MS) {
      return Promise.reject(new ProviderUnavailable('the provider has just failed to answer'));
    }
    this.discovered = this.readMetadata().catch((cause: unknown) => {
      this.discovered = undefined;
      this.failedAt = performance.now();
      throw this.unavailable(cause);
    });
    return this.discovered;
  }

  private async readMetadata(): Promise<Discovered> {
    const { issuer, clientId, clientSecret, answerMs, clockSeconds } = this.options;
    const server = new URL(issuer);
    const fetch = boundedFetch(answerMs);
    const isLocal = server.protocol === 'http:';
    const found = await openid.discovery(server, clientId, undefined, openid.None(), {
      [openid.customFetch]: fetch,
      timeout: Math.ceil(answerMs / 1000),
      ...(isLocal ? { execute: [openid.allowInsecureRequests] } : {}),
    });
    const metadata = found.serverMetadata();
    if (metadata.jwks_uri === undefined) throw new Error('its metadata has no jwks_uri');
    const client = { client_id: clientId, [openid.clockTolerance]: clockSeconds };
    const configuration = new openid.Configuration(metadata, clientId, client, clientAuth(metadata, clientSecret));
    configuration[openid.customFetch] = fetch;
    configuration.timeout = Math.ceil(answerMs / 1000);
    if (isLocal) openid.allowInsecureRequests(configuration);
    const keys = createRemoteJWKSet(new URL(metadata.jwks_uri), {
      [keyFetch]: fetch,
      timeoutDuration: answerMs,
      cooldownDuration: KEYS_PAUSE_MS,
      cacheMaxAge: KEYS_MAX_AGE_MS,
    });
    if (this.isDown) this.options.logger.info({ issuer }, 'the sign-in provider answers again');
    this.isDown = false;
    return { configuration, keys };
  }

  private redeemFailure(cause: unknown): Error {
    if (cause instanceof openid.ResponseBodyError && cause.status < 500) {
      return new SignInRejected('CodeRejected', `The sign-in provider has rejected the code: ${cause.error}.`, {
        cause,
      });
    }
    // A 401 is for clients only, and its body is not read (RFC 6749, section 5.2).
    if (cause instanceof openid.WWWAuthenticateChallengeError && cause.status === 401) {
      return new SignInRejected('CodeRejected', 'The sign-in provider has rejected the code: invalid_client.', {
        cause,
      });
    }
    if (cause instanceof openid.ClientError && cause.code !== undefined && REJECTED_ANSWERS.has(cause.code)) {
      return new SignInRejected(
        'ForeignAnswer',
        'The answer of the sign-in provider does not belong to this sign-in.',
        { cause },
      );
    }
    return this.unavailable(cause);
  }

  /** Said once for each outage. */
  private unavailable(cause: unknown): ProviderUnavailable {
    const { issuer, logger } = this.options;
    if (!this.isDown) {
      // What openid-client does not know is in an error without a code, whose message is always the same.
      const isUnknown = cause instanceof openid.ClientError && cause.code === undefined;
      const reason = reasonOf(isUnknown ? cause.cause : cause);
      logger.error({ issuer, reason }, 'the sign-in provider does not answer as it should; passwords still work');
    }
    this.isDown = true;
    return new ProviderUnavailable('the sign-in provider does not answer as it should', { cause });
  }
}

/** Codes of openid-client for an answer with other claims than this sign-in must have. */
const REJECTED_ANSWERS = new Set([
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_INVALID_RESPONSE',
]);

function clientAuth(metadata: openid.ServerMetadata, secret: string | undefined): openid.ClientAuth {
  if (secret === undefined) return openid.None();
  const methods = metadata.token_endpoint_auth_methods_supported;
  const byForm =
    methods !== undefined && !methods.includes('client_secret_basic') && methods.includes('client_secret_post');
  return byForm ? openid.ClientSecretPost(secret) : openid.ClientSecretBasic(secret);
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
