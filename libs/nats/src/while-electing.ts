import { JetStreamApiError } from '@nats-io/jetstream';
import { TimeoutError } from '@nats-io/transport-node';
import { setTimeout as sleep } from 'node:timers/promises';

/** An election after the loss of a server takes up to 6.6 s (nats-server 2.10); a request fails after 5 s. */
const ELECTION_MS = 45_000;
const AGAIN_MS = 250;
/** "JetStream system temporarily unavailable", and "JetStream cluster cannot handle request". */
const ELECTING = [10_008, 10_009];

/** Repeats a request to JetStream while the servers of a cluster elect a leader. The work must be safe to repeat. */
export async function whileElecting<T>(work: () => Promise<T>, isTransient = isElecting): Promise<T> {
  const until = performance.now() + ELECTION_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || performance.now() > until) throw error;
      await sleep(AGAIN_MS);
    }
  }
}

/** "Stream not found": a server of a cluster may not know a stream yet that another one has just created. */
export function isNotKnownYet(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === 10_059;
}

/** Whether a request failed because the cluster has no leader at the moment. */
export function isElecting(error: unknown): boolean {
  return error instanceof TimeoutError || (error instanceof JetStreamApiError && ELECTING.includes(error.code));
}
