import { hash } from 'node:crypto';
import type { StoredToken } from './stored-token.js';
import type { Tokens } from './tokens.js';

/** One sign-in of a person, with its token. */
export interface Session {
  /** Not the hash of the token, which gives access to photos. */
  readonly id: string;
  readonly tokenHash: string;
  readonly token: StoredToken;
  /** Milliseconds since 1970; to within some minutes, and longer ago after a restart. */
  readonly usedAt: number;
}

const ID_LENGTH = 22;

/** The sessions of people: of each token that is valid. */
export class Sessions {
  constructor(private readonly tokens: Tokens) {}

  /** The newest first. */
  async of(username: string): Promise<readonly Session[]> {
    const found = await this.tokens.ofOwner(username);
    return found
      .map(([tokenHash, token]) => ({
        id: hash('sha256', `session ${tokenHash}`, 'base64url').slice(0, ID_LENGTH),
        tokenHash,
        token,
        usedAt: this.tokens.usedAt(tokenHash, token),
      }))
      .toSorted((one, other) => other.token.issuedAt - one.token.issuedAt);
  }

  /** False if the person has no such session. */
  async end(username: string, id: string): Promise<boolean> {
    const session = (await this.of(username)).find((each) => each.id === id);
    if (session === undefined) return false;
    await this.tokens.revokeHash(session.tokenHash);
    return true;
  }

  /** Ends all sessions but that of one token; returns how many. */
  async endOthers(username: string, keptHash?: string): Promise<number> {
    const others = (await this.tokens.ofOwner(username)).filter(([tokenHash]) => tokenHash !== keptHash);
    await Promise.all(others.map(([tokenHash]) => this.tokens.revokeHash(tokenHash)));
    return others.length;
  }
}
