import { TOKENS_REVOKED_SUBJECT, type TokenRevoked } from '@ringdown/contracts/tokens';
import { errorReason } from '@ringdown/errors';
import { parseConferenceUri, type Meeting, type Meetings } from '@ringdown/meetings';
import type { Bus } from '@ringdown/nats';
import { BucketCache, type Entry } from '@ringdown/nats/buckets';
import type { Directory, Person, Role, SignInResult } from '@ringdown/directory';
import type { Logger } from '@ringdown/observability';
import { tokenHash, type Principal } from '@ringdown/token-validation';
import { randomBytes } from 'node:crypto';
import type { SessionOrigin } from './session-origin.js';
import type { StoredToken } from './stored-token.js';
import { TokenBucket } from './token-bucket.js';
import { Uses } from './uses.js';
import { TokenSweep } from './token-sweep.js';

export interface IssuedToken {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
}

export interface TokensOptions {
  readonly bus: Bus;
  readonly directory: Directory;
  readonly meetings: Meetings;
  /** Seals what is stored of a token; only discovery-auth has it. */
  readonly key: Buffer;
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
  /** When a token was last used here, by its hash. */
  private readonly uses = new Uses();
  /** For the services, which request a token that is in use again and again. */
  private readonly cache: BucketCache<StoredToken>;

  private constructor(
    private readonly options: TokensOptions,
    private readonly bucket: TokenBucket,
  ) {
    const { directory, logger } = options;
    this.now = options.now ?? Date.now;
    this.cache = new BucketCache({ bucket, logger });
    this.sweep = new TokenSweep({
      bucket,
      directory,
      logger,
      isValid: async (token) => (await this.ownerOf(token)) !== undefined,
      // Looked up again: the token may have been bound to the new password meanwhile.
      revoke: async (hash) => void (await this.principalOf(hash)),
    });
  }

  static async open(options: TokensOptions): Promise<Tokens> {
    return new Tokens(options, await TokenBucket.open(options.bus, options.key));
  }

  issue({ person: { username }, passwordMark }: SignInResult, origin?: SessionOrigin): Promise<IssuedToken> {
    const owner = { username, ...(passwordMark === undefined ? {} : { passwordMark }), ...origin };
    return this.store(owner, this.options.lifetimeSeconds);
  }

  /** To a person who signed in at the provider; `roles` replace those of the directory. Undefined for a blocked one. */
  async issueByProvider(
    person: Person,
    roles: readonly Role[] | undefined,
    origin?: SessionOrigin,
  ): Promise<IssuedToken | undefined> {
    const sessionMark = this.options.directory.sessionMark(person);
    if (sessionMark === undefined) return undefined;
    const owner = { username: person.username, sessionMark, ...(roles === undefined ? {} : { roles }), ...origin };
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
    return this.principalIn(hash, await this.cache.get(hash));
  }

  private async principalIn(hash: string, entry: Entry<StoredToken> | undefined): Promise<Principal | null> {
    if (entry === undefined || entry.value.expiresAt <= this.now()) return null;
    const stored = entry.value;
    if (stored.guestOf !== undefined) return this.guest(stored, stored.guestOf);
    const person = await this.ownerOf(stored);
    if (person === undefined) {
      this.cache.forget(hash);
      if (await this.bucket.deleteAt(hash, entry.revision)) await this.announceRevoked(hash);
      // Bound to a new password meanwhile; a token is not bound twice in the time of a request.
      else return this.principalIn(hash, await this.bucket.getNewest(hash));
      return null;
    }
    this.options.directory.isInUse(person);
    this.noteUse(hash, entry);
    const { username, sipAddress, roles } = person;
    return { username, sipAddress, roles: stored.roles ?? roles, expiresAt: stored.expiresAt };
  }

  /**
   * Revokes a token at once, here and wherever it is cached. Returns whose it was; undefined for that of a guest, and for
   * an unknown one, which counts as revoked.
   */
  async revoke(token: string): Promise<string | undefined> {
    const hash = tokenHash(token);
    const stored = (await this.bucket.get(hash))?.value;
    if (stored === undefined) return undefined;
    await this.revokeHash(hash);
    return stored.guestOf === undefined ? stored.username : undefined;
  }

  /** The valid tokens of a person by their hashes. */
  async ofOwner(username: string): Promise<readonly [string, StoredToken][]> {
    const found: [string, StoredToken][] = [];
    for (const [hash, token] of await this.sweep.ofOwner(username)) {
      if (token.expiresAt > this.now() && (await this.ownerOf(token)) !== undefined) found.push([hash, token]);
    }
    return found;
  }

  /** When a token was last used as far as this replica knows, milliseconds since 1970. */
  usedAt(hash: string, { usedAt, issuedAt }: StoredToken): number {
    return Math.max(this.uses.at(hash) ?? 0, usedAt ?? issuedAt);
  }

  /**
   * Keeps a token across a change of its owner's password: first it is bound to the sessions alone, then to the new
   * password, so that it is valid all the time. False if it has ended.
   */
  async bind(
    hash: string,
    mark: { readonly sessionMark: string } | { readonly passwordMark: string },
  ): Promise<boolean> {
    for (;;) {
      const entry = await this.bucket.getNewest(hash);
      if (entry === undefined) return false;
      const { sessionMark: _sessionMark, passwordMark: _passwordMark, ...rest } = entry.value;
      if (!(await this.bucket.update(hash, { ...rest, ...mark }, entry.revision))) continue;
      this.cache.forget(hash);
      return true;
    }
  }

  /** How a token is bound to its owner; undefined if it has ended. */
  async bindingOf(hash: string): Promise<Pick<StoredToken, 'sessionMark' | 'passwordMark'> | undefined> {
    return (await this.bucket.getNewest(hash))?.value;
  }

  async revokeHash(hash: string): Promise<void> {
    await this.bucket.delete(hash);
    this.cache.forget(hash);
    await this.announceRevoked(hash);
  }

  close(): void {
    this.cache.close();
    this.sweep.close();
  }

  private noteUse(hash: string, { value: token, revision }: Entry<StoredToken>): void {
    const now = this.now();
    if (!this.uses.isStoreDue(hash, now, token.usedAt ?? token.issuedAt)) return;
    this.bucket.update(hash, { ...token, usedAt: now }, revision).catch((error: unknown) => {
      this.options.logger.debug({ reason: errorReason(error) }, 'the last use of a token could not be stored');
    });
  }

  /** The owner of a token; undefined once that person has left the directory or has changed the password. */
  private async ownerOf(token: StoredToken): Promise<Person | undefined> {
    const { directory } = this.options;
    const { username, sessionMark, passwordMark: mark, issuedAt: at } = token;
    const person = directory.people.withUsername(username);
    // A token that is bound to nothing would outlive each change of a password.
    if (person === undefined || (sessionMark === undefined && mark === undefined)) return undefined;
    const isPresent = await (sessionMark === undefined
      ? directory.hasPasswordOf(person, { mark, at })
      : directory.hasSessionOf(person, { mark: sessionMark, at }));
    return isPresent ? person : undefined;
  }

  private async announceRevoked(hash: string): Promise<void> {
    const revoked: TokenRevoked = { tokenHash: hash };
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
