import { TOKENS_REVOKED_SUBJECT, type TokenRevoked } from '@ringdown/contracts/tokens';
import { parseConferenceUri, type Meeting, type Meetings } from '@ringdown/meetings';
import { Bucket, type Bus } from '@ringdown/nats';
import type { Directory, Person, Role, SignInResult } from '@ringdown/directory';
import type { Logger } from '@ringdown/observability';
import { tokenHash, type Principal } from '@ringdown/token-validation';
import { randomBytes } from 'node:crypto';
import { MAX_LIFETIME_SECONDS } from '../settings.js';
import { parseStoredToken, type StoredToken } from './stored-token.js';
import { TokenSweep } from './token-sweep.js';

export interface IssuedToken {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
}

export interface TokensOptions {
  readonly bus: Bus;
  readonly directory: Directory;
  readonly meetings: Meetings;
  /** The prefix of every token, from the vendor profile. */
  readonly prefix: string;
  readonly lifetimeSeconds: number;
  readonly guestLifetimeSeconds: number;
  readonly logger: Logger;
  /** The current time in milliseconds since 1970. */
  readonly now?: () => number;
}

const TOKEN_BYTES = 32;

/**
 * Issues access tokens and finds their owners. They are in the store of the bus, so that every replica has them, also
 * after a restart.
 */
export class Tokens {
  private readonly now: () => number;
  private readonly sweep: TokenSweep;

  private constructor(
    private readonly options: TokensOptions,
    private readonly bucket: Bucket<StoredToken>,
  ) {
    const { directory, logger } = options;
    this.now = options.now ?? Date.now;
    this.sweep = new TokenSweep({
      bucket,
      directory,
      logger,
      isValid: async (token) => (await this.ownerOf(token)) !== undefined,
      revoke: (hash) => this.revokeHash(hash),
    });
  }

  static async open(options: TokensOptions): Promise<Tokens> {
    const maxAgeMs = MAX_LIFETIME_SECONDS * 1000;
    const bucket = await Bucket.open({ bus: options.bus, name: 'TOKENS', maxAgeMs, parse: parseStoredToken });
    return new Tokens(options, bucket);
  }

  issue({ person: { username }, passwordMark }: SignInResult): Promise<IssuedToken> {
    const owner = passwordMark === undefined ? { username } : { username, passwordMark };
    return this.store(owner, this.options.lifetimeSeconds);
  }

  /** To a person who signed in at the provider; `roles` replace those of the directory. Undefined for a blocked one. */
  async issueByProvider(person: Person, roles: readonly Role[] | undefined): Promise<IssuedToken | undefined> {
    const sessionMark = this.options.directory.sessionMark(person);
    if (sessionMark === undefined) return undefined;
    const owner = { username: person.username, sessionMark, ...(roles === undefined ? {} : { roles }) };
    return this.store(owner, this.options.lifetimeSeconds);
  }

  issueToGuest(username: string, guestOf: string): Promise<IssuedToken> {
    return this.store({ username, guestOf }, this.options.guestLifetimeSeconds);
  }

  /**
   * The guest name behind a token of this meeting, even if it has expired, as long as the store has it; undefined for a
   * token that is unknown, was revoked, or belongs to something else.
   */
  async guestWith(token: string, guestOf: string): Promise<string | undefined> {
    const stored = (await this.bucket.get(tokenHash(token)))?.value;
    return stored?.guestOf === guestOf ? stored.username : undefined;
  }

  /**
   * Null for a hash that is unknown or expired, or whose owner has left the directory or has changed the password.
   * Roles are the current ones.
   */
  async principalOf(hash: string): Promise<Principal | null> {
    const stored = (await this.bucket.get(hash))?.value;
    if (stored === undefined || stored.expiresAt <= this.now()) return null;
    if (stored.guestOf !== undefined) return this.guest(stored, stored.guestOf);
    const person = await this.ownerOf(stored);
    if (person === undefined) {
      await this.revokeHash(hash);
      return null;
    }
    this.options.directory.isInUse(person);
    const { username, sipAddress, roles } = person;
    return { username, sipAddress, roles: stored.roles ?? roles, expiresAt: stored.expiresAt };
  }

  /** Revokes a token at once, here and wherever it is cached. An unknown token counts as revoked. */
  async revoke(token: string): Promise<void> {
    const hash = tokenHash(token);
    if ((await this.bucket.get(hash)) !== undefined) await this.revokeHash(hash);
  }

  close(): void {
    this.sweep.close();
  }

  /** The owner of a token; undefined once that person has left the directory or has changed the password. */
  private async ownerOf(token: StoredToken): Promise<Person | undefined> {
    const { directory } = this.options;
    const { username, sessionMark, passwordMark: mark, issuedAt: at } = token;
    const person = directory.people.withUsername(username);
    if (person === undefined) return undefined;
    const isPresent = await (sessionMark === undefined
      ? directory.hasPasswordOf(person, { mark, at })
      : directory.hasSessionOf(person, { mark: sessionMark, at }));
    return isPresent ? person : undefined;
  }

  private async revokeHash(hash: string): Promise<void> {
    const revoked: TokenRevoked = { tokenHash: hash };
    await this.bucket.delete(hash);
    this.options.bus.publish(TOKENS_REVOKED_SUBJECT, revoked);
    await this.options.bus.connection.flush();
  }

  private async store(owner: Omit<StoredToken, 'issuedAt' | 'expiresAt'>, lifetime: number): Promise<IssuedToken> {
    const accessToken = this.options.prefix + randomBytes(TOKEN_BYTES).toString('base64url');
    const issuedAt = this.now();
    await this.bucket.put(tokenHash(accessToken), { ...owner, issuedAt, expiresAt: issuedAt + lifetime * 1000 });
    return { accessToken, expiresInSeconds: lifetime };
  }

  /** A guest's token is invalid when the meeting is over. */
  private async guest({ username, expiresAt }: StoredToken, guestOf: string): Promise<Principal | null> {
    const meeting = parseConferenceUri(guestOf);
    const found = meeting && (await this.options.meetings.find(meeting.organizer, meeting.id));
    if (!isOpenToGuests(found)) return null;
    return { username, sipAddress: `sip:${username}`, roles: [], expiresAt, guestOf };
  }
}

export function isOpenToGuests(meeting: Meeting | undefined): meeting is Meeting {
  return meeting?.accessLevel === 'Everyone';
}
