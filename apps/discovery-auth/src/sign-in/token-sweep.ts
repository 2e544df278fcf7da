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
  /** Whether the owner of a token is still there, with the same password. */
  readonly isGood: (token: StoredToken) => Promise<boolean>;
  /** Ends a token by its hash, here and wherever it is remembered. */
  readonly end: (hash: string) => Promise<void>;
}

/** The newest tokens of people; older ones are found wanting when they are used next. */
const MAX_TOKENS = 100_000;
const AT_ONCE = 500;

/**
 * Ends the tokens of people who have left the directory or have another password, as soon as the directory tells: streams
 * and polls that go on with them would otherwise not be asked for a token for long. Guests are in no directory.
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
      // One that cannot be ended now keeps no other from its end: its next use finds it ended all the same.
      if (await end(hash).then(() => true, this.notEnded)) ended++;
    }
    if (ended > 0) logger.info({ tokens: ended }, 'ended tokens: their owners have left or have another password');
  }
}
