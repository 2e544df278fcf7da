import { Inject, Injectable, Optional } from '@nestjs/common';
import { GUEST_DOMAIN, conferenceUri, Meetings, parseConferenceUri } from '@ringdown/meetings';
import { DIRECTORY, DirectoryBusy, DirectoryUnavailable, type Account, type Directory } from '@ringdown/directory';
import { Fault, InterfaceError } from '@ringdown/web-server/errors';
import { Metrics } from '@ringdown/observability';
import { randomUUID } from 'node:crypto';
import { PeopleAuditLog } from '../audit/people-audit-log.js';
import { SETTINGS, type Settings } from '../settings.js';
import { ProviderUnavailable } from '../single-sign-on/provider-outages.js';
import { SignInRejected } from '../single-sign-on/sign-in-rejected.js';
import { SingleSignOn } from '../single-sign-on/single-sign-on.js';
import type { SessionOrigin } from './session-origin.js';
import { SignInLimitReached, SignInLimits } from './sign-in-limits.js';
import { signInName } from './sign-in-name.js';
import { NO_STORE, tokenErrors } from './token-errors.js';
import type { CodeGrant, ExchangeGrant, MeetingGrant, PasswordGrant, TokenGrant } from './token-request.js';
import { isOpenToGuests, Tokens, type IssuedToken } from './tokens.js';

/** The kind of our tokens (RFC 8693, section 3). */
const ISSUED_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';

interface GrantedToken extends IssuedToken {
  /** Further fields of the response. */
  readonly more?: Readonly<Record<string, string>>;
}

/** Issues tokens for passwords, for sign-ins at a provider and to guests of meetings, and revokes them (web-interface.md, section 2). */
@Injectable()
export class TokenService {
  private readonly requests;
  private readonly sipDomains: readonly string[];
  /** Name of the field for the identity scope in the response. */
  private readonly identityScopeField: string;

  constructor(
    @Inject(DIRECTORY) private readonly directory: Directory,
    @Inject(SETTINGS) { sipDomains, vendorProfile }: Settings,
    private readonly meetings: Meetings,
    private readonly tokens: Tokens,
    private readonly limits: SignInLimits,
    private readonly log: PeopleAuditLog,
    metrics: Metrics,
    @Optional() @Inject(SingleSignOn) private readonly singleSignOn?: SingleSignOn,
  ) {
    this.requests = metrics.counter('sign_ins_total', 'Token requests', ['outcome']);
    this.sipDomains = sipDomains;
    this.identityScopeField = vendorProfile.web.identityScopeField;
  }

  /** Counts a request before it is read. Throws the error response for an address that sends too many. */
  admit(ip: string): void {
    try {
      this.limits.admitAddress(ip);
    } catch (error) {
      throw this.errorResponse(error);
    }
  }

  /** The token response (web-interface.md, section 2). Throws {@link InterfaceError}; unknown users and wrong passwords look the same. */
  async grant(grant: TokenGrant, origin: SessionOrigin): Promise<Readonly<Record<string, string | number>>> {
    const token = await this.token(grant, origin).catch((error: unknown) => {
      throw this.errorResponse(error);
    });
    if (token === undefined) {
      this.requests.inc({ outcome: 'refused' });
      const message = grant.type === 'meeting' ? 'The meeting does not exist, or does not admit guests.' : undefined;
      throw new InterfaceError(tokenErrors.invalidGrant, message === undefined ? {} : { message });
    }
    this.requests.inc({ outcome: 'granted' });
    return {
      ...token.more,
      access_token: token.accessToken,
      expires_in: token.expiresInSeconds,
      [this.identityScopeField]: 'local',
      token_type: 'Bearer',
    };
  }

  /** Signs out: the token is invalid from now on. An unknown token is not an error (RFC 7009, section 2.2). */
  async revoke(token: string, { ip }: SessionOrigin): Promise<void> {
    const username = await this.tokens.revoke(token).catch((cause: unknown) => {
      throw unavailable(cause);
    });
    if (username === undefined) return;
    const change = { action: 'end-sessions', people: [username], changed: ['sessions'], result: 'done' } as const;
    this.log.record({ ...change, by: username, from: ip });
  }

  private token(grant: TokenGrant, origin: SessionOrigin): Promise<GrantedToken | undefined> {
    if (grant.type === 'meeting') return this.guestToken(grant);
    return grant.type === 'password' ? this.personToken(grant, origin) : this.providerToken(grant, origin);
  }

  /** Of a person who signed in at the provider. */
  private async providerToken(grant: CodeGrant | ExchangeGrant, origin: SessionOrigin): Promise<GrantedToken> {
    const { singleSignOn, tokens } = this;
    if (singleSignOn === undefined) throw new InterfaceError(tokenErrors.unsupportedGrantType);
    const signedIn = await (grant.type === 'code'
      ? singleSignOn.byCode(grant, origin.ip)
      : singleSignOn.byToken(grant.token, origin.ip));
    const { person, roles, endSessionUrl } = signedIn;
    const more = {
      issued_token_type: ISSUED_TOKEN_TYPE,
      username: person.username,
      ...(endSessionUrl === undefined ? {} : { end_session_uri: endSessionUrl }),
    };
    const token = await tokens.issueByProvider(person, roles, origin);
    if (token === undefined)
      throw new SignInRejected('PersonBlocked', 'An administrator of this server has blocked you.');
    return { ...token, more };
  }

  private async personToken(
    { username, password }: PasswordGrant,
    origin: SessionOrigin,
  ): Promise<IssuedToken | undefined> {
    const { directory, limits, sipDomains, tokens } = this;
    // An invalid name is checked as well, so that it takes as long.
    const name = signInName(username, sipDomains) ?? '';
    const find = (): Promise<Account> => directory.account(name);
    const signedIn = await limits.signIn({ name: name.replace(/^sip:/, ''), password, find });
    return signedIn === undefined ? undefined : tokens.issue(signedIn, origin);
  }

  /** Everyone who knows the id of the meeting may join; the id is too long to be guessed. */
  private async guestToken(grant: MeetingGrant): Promise<IssuedToken | undefined> {
    const { limits, meetings, tokens } = this;
    const requested = parseConferenceUri(grant.conferenceUri);
    if (requested === undefined || requested.id.toUpperCase() !== grant.conferenceId.trim().toUpperCase())
      return undefined;
    const meeting = await meetings.find(requested.organizer, requested.id);
    if (!isOpenToGuests(meeting)) return undefined;
    const uri = conferenceUri(meeting);
    // The store keeps each token for a day, and has room for those of all.
    if (grant.renewed === undefined) {
      await limits.admitGuest(`of ${uri}`);
      return tokens.issueToGuest(newGuest(), uri);
    }
    const name = await tokens.guestWith(grant.renewed, uri);
    if (name === undefined) return undefined;
    await limits.admitGuest(name);
    return tokens.issueToGuest(name, uri);
  }

  /** The error response when a token was not issued. */
  private errorResponse(error: unknown): InterfaceError | Fault {
    if (error instanceof InterfaceError) return error;
    if (error instanceof SignInRejected) {
      this.requests.inc({ outcome: 'refused' });
      return new InterfaceError(
        { ...tokenErrors.invalidGrant, subcode: error.rejection },
        { message: error.message, cause: error },
      );
    }
    if (error instanceof ProviderUnavailable) {
      this.requests.inc({ outcome: 'unavailable' });
      return new InterfaceError(tokenErrors.providerDown, { headers: retryAfter(5), cause: error });
    }
    if (error instanceof SignInLimitReached) {
      this.requests.inc({ outcome: 'limited' });
      return new Fault('too-many-requests', { headers: retryAfter(error.retryAfterSeconds) });
    }
    if (error instanceof DirectoryBusy) {
      this.requests.inc({ outcome: 'busy' });
      return new InterfaceError(tokenErrors.busy, { headers: retryAfter(error.retryAfterSeconds) });
    }
    if (error instanceof DirectoryUnavailable) {
      this.requests.inc({ outcome: 'unavailable' });
      const details = { headers: retryAfter(error.retryAfterSeconds), cause: error };
      return new InterfaceError(tokenErrors.directoryDown, details);
    }
    this.requests.inc({ outcome: 'unavailable' });
    return unavailable(error);
  }
}

function newGuest(): string {
  return `${randomUUID()}@${GUEST_DOMAIN}`;
}

function unavailable(cause: unknown): Fault {
  return new Fault('unavailable', { headers: retryAfter(2), cause });
}

function retryAfter(seconds: number): Record<string, string> {
  return { ...NO_STORE, 'retry-after': String(seconds) };
}
