import { Bucket, type Bus } from '@ringdown/bus';
import type { Directory } from '@ringdown/directory';
import { tokenHash, type Principal } from '@ringdown/token-validation';
import { randomBytes } from 'node:crypto';

/** What is kept of a token, under its hash; the token itself is nowhere but with its owner. */
export interface StoredToken {
  readonly username: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface IssuedToken {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
}

export interface TokensOptions {
  readonly bus: Bus;
  readonly directory: Directory;
  /** Text in front of every token, from the vendor profile. */
  readonly prefix: string;
  readonly lifetimeSeconds: number;
  /** Tells the time in milliseconds since 1970. */
  readonly now?: () => number;
}

/** The longest lifetime that the setting allows; the store forgets tokens after it, expired or not. */
export const MAX_LIFETIME_SECONDS = 24 * 60 * 60;
const TOKEN_BYTES = 32;

/** Issues access tokens and tells whom they belong to. They are in the bus' store, so every replica and every start knows them. */
export class Tokens {
  private readonly now: () => number;

  private constructor(
    private readonly options: TokensOptions,
    private readonly bucket: Bucket<StoredToken>,
  ) {
    this.now = options.now ?? Date.now;
  }

  static async open(options: TokensOptions): Promise<Tokens> {
    const maxAgeMs = MAX_LIFETIME_SECONDS * 1000;
    const bucket = await Bucket.open({ bus: options.bus, name: 'TOKENS', maxAgeMs, parse: storedToken });
    return new Tokens(options, bucket);
  }

  async issue(username: string): Promise<IssuedToken> {
    const { prefix, lifetimeSeconds } = this.options;
    const accessToken = prefix + randomBytes(TOKEN_BYTES).toString('base64url');
    const issuedAt = this.now();
    const stored = { username, issuedAt, expiresAt: issuedAt + lifetimeSeconds * 1000 };
    await this.bucket.put(tokenHash(accessToken), stored);
    return { accessToken, expiresInSeconds: lifetimeSeconds };
  }

  /** Null for a hash that is unknown or expired, or whose owner has left the directory. Roles are those of today. */
  async principalOf(hash: string): Promise<Principal | null> {
    const stored = (await this.bucket.get(hash))?.value;
    if (stored === undefined || stored.expiresAt <= this.now()) return null;
    const person = this.options.directory.people.withUsername(stored.username);
    if (person === undefined) return null;
    const { username, sipAddress, roles } = person;
    return { username, sipAddress, roles, expiresAt: stored.expiresAt };
  }
}

function storedToken(value: unknown): StoredToken {
  if (
    typeof value === 'object' &&
    value !== null &&
    'username' in value &&
    'issuedAt' in value &&
    'expiresAt' in value
  ) {
    const { username, issuedAt, expiresAt } = value;
    if (typeof username === 'string' && typeof issuedAt === 'number' && typeof expiresAt === 'number') {
      return { username, issuedAt, expiresAt };
    }
  }
  throw new Error('a stored token has another form than this version writes');
}
