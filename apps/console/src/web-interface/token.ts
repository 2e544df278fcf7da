import { RequestRefused, SignInRefused, Unreachable, UnexpectedAnswer } from './errors.js';
import type { JsonReader } from './json-reader.js';
import type { ProviderAnswer } from './single-sign-on.js';
import { readResponseError, fetchOrThrow, readJson, urlAt, type Fetch } from './requests.js';
import { texts } from '../texts/web-interface.js';

export interface Token {
  /** Value of `Authorization`. */
  readonly authorization: string;
  /** When it expires, milliseconds since 1970. */
  readonly expiresAt: number;
  /** Address for the revocation. */
  readonly revocation: string;
  /** Address of the owner's applications; undefined if not known. */
  readonly applications?: string;
}

/** A token and the person to whom it belongs. */
export interface PersonalToken extends Token {
  readonly username: string;
  /** Where the person signs out at the provider; undefined after sign-in with a password. */
  readonly endSession?: string;
}

/** A token, and the whole response of the token service. */
interface Granted {
  readonly token: Token;
  readonly response: JsonReader;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** A meeting, as its address names it. */
export interface MeetingKey {
  /** SIP address, `sip:user@domain`. */
  readonly organizer: string;
  readonly id: string;
}

export interface TokenClientOptions {
  readonly origin: string;
  readonly fetch: Fetch;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Requests and revokes tokens: discovery, challenge, token service, revocation (web-interface.md, sections 1 and 2). */
export class TokenClient {
  constructor(private readonly options: TokenClientOptions) {}

  /** Throws SignInRefused if the username or the password is wrong. */
  async signIn({ username, password }: Credentials): Promise<PersonalToken> {
    const { token } = await this.granted(() => ({ grant_type: 'password', username, password }), wrongPasswordOf);
    return { ...token, username };
  }

  /** Throws SignInRefused if the answer of the provider is not accepted. */
  async redeem({ form }: ProviderAnswer): Promise<PersonalToken> {
    const { token, response } = await this.granted(() => form, signInRefusal);
    const endSession = response.optionalText('end_session_uri');
    return { ...token, username: response.text('username'), ...(endSession === undefined ? {} : { endSession }) };
  }

  /**
   * A token for a guest; with an earlier one of the same meeting, for the same guest. Throws SignInRefused if the
   * meeting does not exist or does not admit guests.
   */
  async admit({ organizer, id }: MeetingKey, renewed?: Token): Promise<Token> {
    const conferenceUri = `${organizer};gruu;opaque=app:conf:focus:id:${id}`;
    const fields = (challenge: string): Record<string, string> => ({
      grant_type: guestGrant(challenge),
      password: id,
      ...named('rtc_conferenceuri', conferenceUri),
      ...(renewed === undefined ? {} : named('rtc_renew', renewed.authorization.replace(/^\S+ /, ''))),
    });
    return (await this.granted(fields, invalidGrantOf)).token;
  }

  /** RFC 7009; sent even if the page is closed at once. */
  async revoke({ authorization, revocation }: Token): Promise<void> {
    const response = await this.request(revocation, { method: 'POST', headers: { authorization }, keepalive: true });
    if (!response.ok) throw await readResponseError(response);
    await response.body?.cancel();
  }

  /** The user URL, which links to the applications (web-interface.md, section 1). */
  async userUrl(): Promise<string> {
    const response = await this.request('/');
    if (!response.ok) throw await readResponseError(response);
    const root = await readJson(response, 'the discovery document'); // not shown: part of an error for developers
    const elsewhere = root.optionalLink('redirect');
    if (elsewhere !== undefined) throw new SignInRefused(texts.signInElsewhere(elsewhere));
    return root.link('user');
  }

  private async granted(
    fields: (challenge: string) => Readonly<Record<string, string>>,
    refusal: (error: Error) => Error,
  ): Promise<Granted> {
    const userUrl = await this.userUrl();
    const challenge = await this.challenge(userUrl);
    const service = challengedHref(challenge);
    const form = new URLSearchParams(fields(challenge));
    const requestedAt = this.options.now();
    const answer = await this.request(service, { method: 'POST', body: form });
    if (!answer.ok) throw refusal(await readResponseError(answer));
    const response = await readJson(answer, 'the token'); // not shown: part of an error for developers
    const authorization = `${response.text('token_type')} ${response.text('access_token')}`;
    const user = await this.user(userUrl, authorization);
    const token = {
      authorization,
      expiresAt: requestedAt + response.positive('expires_in') * 1000,
      revocation: user.link('revoke'),
      applications: user.link('applications'),
    };
    return { token, response };
  }

  private async user(userUrl: string, authorization: string): Promise<JsonReader> {
    const response = await this.request(userUrl, { headers: { authorization } });
    if (!response.ok) throw await readResponseError(response);
    return readJson(response, 'the user resource'); // not shown: part of an error for developers
  }

  private async challenge(userUrl: string): Promise<string> {
    const response = await this.request(userUrl);
    if (response.status !== 401) {
      throw response.ok ? new UnexpectedAnswer('the user URL asks for no token') : await readResponseError(response);
    }
    await response.body?.cancel();
    return response.headers.get('www-authenticate') ?? '';
  }

  private request(href: string, init: RequestInit = {}): Promise<Response> {
    const { fetch, origin } = this.options;
    return fetchOrThrow(fetch, urlAt(origin, href), init);
  }
}

/** The `href` in the challenge of the vendor's scheme (web-interface.md, section 2). */
export function challengedHref(header: string): string {
  const [, href] = /\wOAuth\s[^"]{0,256}href="([^"]+)"/i.exec(header) ?? [];
  if (href === undefined) throw new UnexpectedAnswer('the challenge names no token service');
  return href;
}

/** The grant for guests; its prefix depends on the vendor profile of the server. */
export function guestGrant(challenge: string): string {
  const [grant] = /urn:[\w.:-]{1,64}anonmeeting/.exec(challenge) ?? [];
  if (grant === undefined) throw new UnexpectedAnswer('the challenge offers nothing for guests');
  return grant;
}

/** A parameter under the names of all vendor profiles: the server ignores those that it does not know. */
function named(name: string, value: string): Record<string, string> {
  return { [`ringdown_${name}`]: value, [`ms_${name}`]: value };
}

function signInRefusal(error: Error): Error {
  if (error instanceof Unreachable && error.retryAfterMs !== undefined) return new SignInRefused(error.message);
  return invalidGrantOf(error);
}

/** Has one message for unknown users and wrong passwords, as the server does. */
function wrongPasswordOf(error: Error): Error {
  const refusal = signInRefusal(error);
  return refusal instanceof SignInRefused && error instanceof RequestRefused
    ? new SignInRefused(texts.wrongPassword)
    : refusal;
}

/** Unlike too many requests, this does not change by itself. */
function invalidGrantOf(error: Error): Error {
  return error instanceof RequestRefused && error.code === 'invalid_grant' ? new SignInRefused(error.message) : error;
}
