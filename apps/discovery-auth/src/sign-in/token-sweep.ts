import { CoalescedTask } from '@ringdown/concurrency';
import { errorReason } from '@ringdown/errors';
import type { Directory } from '@ringdown/directory';
import type { Logger } from '@ringdown/observability';
import { setImmediate as afterOthers, setTimeout as sleep } from 'node:timers/promises';
import type { StoredToken } from './stored-token.js';
import type { TokenBucket } from './token-bucket.js';

export interface TokenSweepOptions {
  readonly bucket: Pick<TokenBucket, 'follow' | 'lastRevision'>;
  readonly directory: Pick<Directory, 'onChange'>;
  readonly logger: Logger;
  /** Whether the owner of a token still exists, with the same password. */
  readonly isValid: (token: StoredToken) => Promise<boolean>;
  /** Revokes a token by its hash, here and wherever it is cached. */
  readonly revoke: (hash: string) => Promise<void>;
}

/** The limit of remembered tokens, the newest ones; older tokens are checked at their next use. */
const MAX_TOKENS = 100_000;
const YIELD_EVERY = 500;
const CATCH_UP_MS = 2_000;
const CHECK_MS = 5;

/**
 * Revokes the tokens of people who have left the directory or have changed their password, as soon as the directory
 * reports the change: open streams and polls with them would otherwise continue for a long time without a check. Guests
 * are not in a directory. Knows the sessions of each person.
 */
export class TokenSweep {
  /** The oldest first. */
  private readonly tokens = new Map<string, StoredToken>();
  private readonly unsubscribers: readonly (() => void)[];
  private readonly sweeping = new CoalescedTask(() =>
    this.sweep().catch((error: unknown) => void this.logNotRevoked(error)),
  );
  private closed = false;
  private revision = 0;

  constructor(private readonly options: TokenSweepOptions) {
    const { bucket, directory, logger } = options;
    this.unsubscribers = [
      bucket.follow(logger, (hash, token, _isNewest, revision) => {
        this.revision = revision;
        this.remember(hash, token);
      }),
      directory.onChange(() => void this.sweeping.run()),
    ];
  }

  close(): void {
    this.closed = true;
    for (const unsubscribe of this.unsubscribers) unsubscribe();
  }

  /** The remembered tokens of a person by their hashes, also those that another replica has just issued. */
  async ofOwner(username: string): Promise<readonly [string, StoredToken][]> {
    const revision = await this.options.bucket.lastRevision();
    const end = Date.now() + CATCH_UP_MS;
    while (this.revision < revision) {
      if (this.closed || Date.now() > end) throw new Error('the tokens could not be read from the message bus in time');
      await sleep(CHECK_MS);
    }
    return [...this.tokens].filter(([, token]) => token.username === username);
  }

  private remember(hash: string, token: StoredToken | undefined): void {
    if (token === undefined) this.tokens.delete(hash);
    else if (token.guestOf === undefined) this.tokens.set(hash, token);
    const [oldest] = this.tokens.keys();
    if (this.tokens.size > MAX_TOKENS && oldest !== undefined) this.tokens.delete(oldest);
  }

  private readonly logNotRevoked = (error: unknown): false => {
    const reason = errorReason(error);
    this.options.logger.warn({ reason }, 'could not revoke tokens of changed people yet');
    return false;
  };

  private async sweep(): Promise<void> {
    const { isValid, revoke, logger } = this.options;
    let revoked = 0;
    let seen = 0;
    for (const [hash, token] of this.tokens) {
      if (this.closed) return;
      if (++seen % YIELD_EVERY === 0) await afterOthers();
      if (await isValid(token)) continue;
      // A token that cannot be revoked now does not prevent the others; it is found invalid at its next use.
      if (await revoke(hash).then(() => true, this.logNotRevoked)) revoked++;
    }
    if (revoked > 0)
      logger.info(
        { tokens: revoked },
        'revoked tokens: their owners have left the directory or have changed their password',
      );
  }
}
