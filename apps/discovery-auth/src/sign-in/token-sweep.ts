import { CoalescedTask } from '@ringdown/concurrency';
import { reasonOf } from '@ringdown/errors';
import type { Bucket } from '@ringdown/nats';
import type { Directory } from '@ringdown/directory';
import type { Logger } from '@ringdown/observability';
import { setImmediate as afterOthers } from 'node:timers/promises';
import type { StoredToken } from './stored-token.js';

export interface TokenSweepOptions {
  readonly bucket: Pick<Bucket<StoredToken>, 'follow'>;
  readonly directory: Pick<Directory, 'onChange'>;
  readonly logger: Logger;
  /** Whether the owner of a token still exists, with the same password. */
  readonly isGood: (token: StoredToken) => Promise<boolean>;
  /** Revokes a token by its hash, here and wherever it is cached. */
  readonly end: (hash: string) => Promise<void>;
}

/** The limit of remembered tokens, the newest ones; older tokens are checked at their next use. */
const MAX_TOKENS = 100_000;
const AT_ONCE = 500;

/**
 * Revokes the tokens of people who have left the directory or have changed their password, as soon as the directory
 * reports the change: open streams and polls with them would otherwise continue for a long time without a check. Guests
 * are not in a directory.
 */
export class TokenSweep {
  /** The oldest first. */
  private readonly tokens = new Map<string, StoredToken>();
  private readonly endings: readonly (() => void)[];
  private readonly sweeping = new CoalescedTask(() =>
    this.sweep().catch((error: unknown) => void this.notEnded(error)),
  );
  private closed = false;

  constructor(private readonly options: TokenSweepOptions) {
    const { bucket, directory, logger } = options;
    this.endings = [
      bucket.follow(logger, (hash, token) => this.note(hash, token)),
      directory.onChange(() => void this.sweeping.run()),
    ];
  }

  close(): void {
    this.closed = true;
    for (const end of this.endings) end();
  }

  private note(hash: string, token: StoredToken | undefined): void {
    if (token === undefined) this.tokens.delete(hash);
    else if (token.guestOf === undefined) this.tokens.set(hash, token);
    const [oldest] = this.tokens.keys();
    if (this.tokens.size > MAX_TOKENS && oldest !== undefined) this.tokens.delete(oldest);
  }

  private readonly notEnded = (error: unknown): false => {
    const reason = reasonOf(error);
    this.options.logger.warn({ reason }, 'tokens of changed people could not be ended yet');
    return false;
  };

  private async sweep(): Promise<void> {
    const { isGood, end, logger } = this.options;
    let ended = 0;
    let seen = 0;
    for (const [hash, token] of this.tokens) {
      if (this.closed) return;
      if (++seen % AT_ONCE === 0) await afterOthers();
      if (await isGood(token)) continue;
      // A token that cannot be revoked now does not prevent the others; it is found invalid at its next use.
      if (await end(hash).then(() => true, this.notEnded)) ended++;
    }
    if (ended > 0) logger.info({ tokens: ended }, 'ended tokens: their owners have left or have another password');
  }
}
