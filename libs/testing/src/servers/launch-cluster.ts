import { JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import { connect, TimeoutError } from '@nats-io/transport-node';
import { setTimeout as sleep } from 'node:timers/promises';

/** A nats-server of a cluster. */
export interface ClusterServer {
  /** Resolves when it accepts connections; it may still have to catch up with the others. */
  launch(): Promise<void>;
  kill(): Promise<void>;
}

/** Of a user who may create streams. */
export interface ClusterLogin {
  /** Host and port of each server. */
  readonly servers: string[];
  readonly user: string;
  readonly pass: string;
}

/** They elect their first leader within six seconds. */
const CONNECTED_MS = 15_000;
const AGAIN_MS = 250;
const PROBE = 'PROBE';
const MOST_LAUNCHES = 5;

/**
 * Resolves when they store together. Of servers that dial each other at the same moment, one may never hear another
 * (nats-server 2.10.27). Each dials again every second, so that it also happens when they start one after another. A
 * restart mends it.
 */
export async function launchCluster(cluster: readonly ClusterServer[], login: ClusterLogin): Promise<void> {
  for (let tries = 1; ; tries++) {
    for (const server of cluster) await server.launch();
    if (await storesOnAll(login)) return;
    if (tries === MOST_LAUNCHES)
      throw new Error(`in ${tries} starts, the servers of the cluster found no way to each other`);
    await Promise.all(cluster.map((server) => server.kill()));
  }
}

/** Whether a stream can be created that all servers replicate. */
async function storesOnAll(login: ClusterLogin): Promise<boolean> {
  const connection = await connect(login);
  try {
    const { streams } = await jetstreamManager(connection, { checkAPI: false });
    for (const until = performance.now() + CONNECTED_MS; performance.now() < until;) {
      try {
        await streams.add({ name: PROBE, subjects: [PROBE], num_replicas: login.servers.length });
        return await streams.delete(PROBE);
      } catch (error) {
        if (!(error instanceof JetStreamApiError || error instanceof TimeoutError)) throw error;
      }
      await sleep(AGAIN_MS);
    }
    return false;
  } finally {
    await connection.close();
  }
}
