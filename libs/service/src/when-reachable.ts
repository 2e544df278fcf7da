import { BusNotReachable } from '@ringdown/nats';
import { OutageLog, type Logger } from '@ringdown/observability';
import { setTimeout as sleep } from 'node:timers/promises';

export interface WhenReachableOptions {
  readonly logger: Logger;
  /** Aborted when the process is to stop: the wait ends. */
  readonly stopping: AbortSignal | undefined;
  /** Called with each failure, for health checks. */
  readonly onWait: (reason: string) => void;
}

const RETRY_MS = 1_000;

/** Connects a service to the bus as soon as it answers: services start in any order. Rejects when it must not be used. */
export async function whenReachable<T>(connect: () => Promise<T>, options: WhenReachableOptions): Promise<T> {
  const { logger, stopping, onWait } = options;
  const outage = new OutageLog({
    logger,
    failure: 'the start waits for the message bus; trying again',
    recovery: 'the message bus answers',
  });
  for (;;) {
    stopping?.throwIfAborted();
    try {
      const connected = await connect();
      outage.succeeded('bus');
      return connected;
    } catch (error) {
      if (!(error instanceof BusNotReachable)) throw error;
      onWait(error.message);
      outage.failed('bus', error.message);
      await sleep(RETRY_MS, undefined, stopping === undefined ? {} : { signal: stopping });
    }
  }
}
