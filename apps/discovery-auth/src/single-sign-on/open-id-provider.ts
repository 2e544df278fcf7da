import type { Logger } from '@ringdown/observability';
import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import * as openid from 'openid-client';
import { boundedFetch, withRedirectUri } from './bounded-fetch.js';
import { unsafeEndpoint } from './provider-endpoints.js';
import { providerKeys } from './provider-keys.js';
import { PAUSE_MS, ProviderOutages, ProviderUnavailable } from './provider-outages.js';
import { SignInRejected, tokenRejection } from './sign-in-rejected.js';
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
  /** As it writes it itself, and therefore in its tokens: a setting may have one slash more or less. */
  readonly issuer: string;
  readonly configuration: openid.Configuration;
  /** The same for requests with this redirect URI. */
  readonly configurationFor: (redirectUri: string) => openid.Configuration;
  readonly keys: JWTVerifyGetKey;
}

/**
 * An OpenID Connect provider. It is discovered when it is first needed, so that sign-ins with passwords do not depend on
 * it.
 */
export class OpenIdProvider {
  private discovered: Promise<Discovered> | undefined;
  private failedAt = Number.NEGATIVE_INFINITY;
  private readonly outages: ProviderOutages;

  constructor(private readonly options: OpenIdProviderOptions) {
    this.outages = new ProviderOutages(options.issuer, options.logger);
  }

  /** Its metadata (OpenID Connect Discovery, section 3). Throws {@link ProviderUnavailable}. */
  async metadata(): Promise<openid.ServerMetadata> {
    return (await this.discover()).configuration.serverMetadata();
  }

  /** The claims of the token for a code. Throws {@link SignInRejected} or {@link ProviderUnavailable}. */
  async redeem({ code, codeVerifier, redirectUri, nonce, issuer }: AuthorizationCode): Promise<JWTPayload> {
    const { configurationFor } = await this.discover();
    const answer = new URL(redirectUri);
    answer.search = new URLSearchParams({ code, ...(issuer === undefined ? {} : { iss: issuer }) }).toString();
    const checks: openid.AuthorizationCodeGrantChecks = {
      pkceCodeVerifier: codeVerifier,
      // The client has compared the state; it does not reach us.
      expectedState: openid.skipStateCheck,
      idTokenExpected: true,
      ...(nonce === undefined ? {} : { expectedNonce: nonce }),
    };
    const { id_token: token, access_token: accessToken } = await openid
      .authorizationCodeGrant(configurationFor(redirectUri), answer, checks)
      .catch((cause: unknown) => {
        throw this.redeemFailure(cause);
      });
    this.outages.answered('codes');
    if (token === undefined) throw new ProviderUnavailable('the provider has issued no ID token');
    return this.verify(token, { audiences: [this.options.clientId], isAnswer: true, accessToken });
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
  private async verify(token: string, purpose: Omit<TokenPurpose, 'issuedBefore'>): Promise<JWTPayload> {
    const { keys, issuer } = await this.discover();
    const { clockSeconds: clockTolerance } = this.options;
    const issuedBefore = Date.now() / 1000 + clockTolerance;
    const rules = {
      issuer,
      audience: [...purpose.audiences],
      clockTolerance,
      algorithms: ALGORITHMS,
      requiredClaims: ['exp', 'sub'],
    };
    const { payload: claims, protectedHeader: header } = await jwtVerify(token, keys, rules).catch((cause: unknown) => {
      if (cause instanceof ProviderUnavailable) throw cause;
      throw tokenRejection(cause) ?? this.outages.failure('keys', cause);
    });
    const wrong = wrongPart({ header, claims }, { ...purpose, issuedBefore });
    if (wrong === undefined) return claims;
    const cause = new errors.JWTClaimValidationFailed(`unexpected "${wrong}"`, claims, wrong);
    throw tokenRejection(cause) ?? cause;
  }

  private discover(): Promise<Discovered> {
    if (this.discovered !== undefined) return this.discovered;
    if (performance.now() - this.failedAt < PAUSE_MS) {
      return Promise.reject(new ProviderUnavailable('the provider has just failed to answer'));
    }
    this.discovered = this.readMetadata().catch((cause: unknown) => {
      this.discovered = undefined;
      this.failedAt = performance.now();
      throw this.outages.failure('metadata', cause);
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
    const unsafe = unsafeEndpoint(metadata, isLocal);
    if (unsafe !== undefined) throw new Error(`its metadata has no https URL as ${unsafe}`);
    const client = { client_id: clientId, [openid.clockTolerance]: clockSeconds };
    const configure = (fetching: typeof fetch): openid.Configuration => {
      const configuration = new openid.Configuration(metadata, clientId, client, clientAuth(metadata, clientSecret));
      configuration[openid.customFetch] = fetching;
      configuration.timeout = Math.ceil(answerMs / 1000);
      if (isLocal) openid.allowInsecureRequests(configuration);
      return configuration;
    };
    const keys = providerKeys({ url: new URL(metadata.jwks_uri), fetch, answerMs, outages: this.outages });
    this.outages.answered('metadata');
    return {
      issuer: metadata.issuer,
      configuration: configure(fetch),
      configurationFor: (redirectUri) => configure(withRedirectUri(fetch, redirectUri)),
      keys,
    };
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
    return this.outages.failure('codes', cause);
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
