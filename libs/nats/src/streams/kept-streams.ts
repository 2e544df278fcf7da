import { errorReason } from '@ringdown/errors';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '../bus.js';

const RETRY_MS = 1_000;

/**
 * Streams that must be there, also when the bus comes back without them: a server that is killed while it writes the configuration of a
 * stream leaves the stream out at its next start ("checksums do not match"), and takes up its messages again when it is created.
 */
export class KeptStreams {
  private readonly kept = new Map<string, () => Promise<void>>();

  constructor(private readonly bus: Pick<Bus, 'onReconnect' | 'onDisconnect' | 'logger' | 'connection'>) {}

  /** Makes a stream by `ensure` after each interruption, if it is not there then. */
  keep(name: string, ensure: () => Promise<void>): void {
    if (this.kept.size === 0) this.bus.onReconnect(() => void this.makeAgain());
    this.kept.set(name, ensure);
  }

  private async makeAgain(): Promise<void> {
    let isInterrupted = false;
    const forget = this.bus.onDisconnect(() => (isInterrupted = true));
    for (const [stream, ensure] of this.kept) {
      for (let tries = 0; !isInterrupted && !this.bus.connection.isClosed(); tries++) {
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
