import { errorReason } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';
import { setTimeout as sleep } from 'node:timers/promises';

/** What it needs of the connection. */
interface Interruptions {
  readonly logger: Logger;
  readonly connection: { isClosed(): boolean };
  onDisconnect(listener: () => void): () => void;
  onReconnect(listener: () => void): () => void;
}

const RETRY_MS = 1_000;

/**
 * Streams that must be there, also when the bus comes back without them: a server that is killed while it writes the configuration of a
 * stream leaves the stream out at its next start ("checksums do not match"), and takes up its messages again when it is created.
 */
export class KeptStreams {
  private readonly kept = new Map<string, () => Promise<void>>();

  constructor(private readonly bus: Interruptions) {}

  /** Makes a stream by `ensure` after each interruption, if it is not there then. */
  keep(name: string, ensure: () => Promise<void>): void {
    if (this.kept.size === 0) this.bus.onReconnect(() => void this.makeAgain());
    this.kept.set(name, ensure);
  }

  private async makeAgain(): Promise<void> {
    const interrupted = new AbortController();
    const forget = this.bus.onDisconnect(() => interrupted.abort());
    for (const [stream, ensure] of this.kept) {
      for (let tries = 0; !interrupted.signal.aborted && !this.bus.connection.isClosed(); tries++) {
        const failure = await ensure().then(() => undefined, errorReason);
        if (failure === undefined) break;
        if (tries === 0)
          this.bus.logger.warn({ stream, reason: failure }, 'a stream could not be looked for; trying again');
        await sleep(RETRY_MS, undefined, { ref: false });
      }
    }
    forget();
  }
}
