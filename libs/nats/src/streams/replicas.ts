import { JetStreamApiError } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { setting } from '@ringdown/settings';
import { isElecting, isNotKnownYet, whileElecting } from '../while-electing.js';

export const replicaSettings = {
  busReplicas: {
    ...setting.optional(
      setting.choice('BUS_REPLICAS', ['1', '3', '5'], {
        task: 'bus',
        about:
          'How many servers of a NATS cluster store each stream and bucket, also existing ones; the same for all services. Not set: existing ones stay as they are, new ones have one',
      }),
    ),
    shownDefault: 'not set',
  },
};

/** The bus, as far as streams have replicas on it. `replicas`: BUS_REPLICAS. */
export interface ReplicatingBus {
  readonly replicas: number | undefined;
  readonly connection: Pick<NatsConnection, 'info'>;
}

const NO_PEERS = 10_005;
/** "Stream name already in use with a different configuration". */
const NAME_IN_USE = 10_058;
const NOT_CLUSTERED = 10_074;
/**
 * A cluster that has just started does not know all its servers yet, nor a server all new streams. A stream that another replica has
 * created, and changed already, is found when this one looks again.
 */
const SOON_MS = 12_000;

/** BUS_REPLICAS is larger than the number of servers of the bus. */
export class TooFewServers extends Error {
  override readonly name = 'TooFewServers';
}

/** Creates or changes a stream with the replicas of the settings. Rejects with {@link TooFewServers}. */
export async function withReplicas<T>(bus: ReplicatingBus, work: () => Promise<T>): Promise<T> {
  const until = performance.now() + SOON_MS;
  const isTransient = (error: unknown): boolean =>
    isElecting(error) || (isSoonOver(error) && performance.now() < until);
  try {
    return await whileElecting(work, isTransient);
  } catch (cause) {
    const code = jetStreamErrorCode(cause);
    if (bus.replicas === undefined || (code !== NO_PEERS && code !== NOT_CLUSTERED)) throw cause;
    const servers = bus.connection.info?.connect_urls?.length ?? 1;
    throw new TooFewServers(
      `BUS_REPLICAS is ${bus.replicas}, but the cluster of the message bus has too few servers with JetStream and free space (connected now: ${servers})`,
      { cause },
    );
  }
}

function isSoonOver(error: unknown): boolean {
  const code = jetStreamErrorCode(error);
  return code === NO_PEERS || code === NAME_IN_USE || isNotKnownYet(error);
}

/** The part of a stream's configuration that BUS_REPLICAS sets. */
export function replicasConfig(bus: Pick<ReplicatingBus, 'replicas'>): { readonly num_replicas?: number } {
  return bus.replicas === undefined ? {} : { num_replicas: bus.replicas };
}

/** What is wrong with BUS_REPLICAS at a server that has just accepted a connection; undefined if nothing is. */
export function replicasProblem(cluster: string | undefined, replicas: number | undefined): string | undefined {
  if (replicas === undefined || replicas === 1 || (cluster ?? '') !== '') return undefined;
  return `BUS_REPLICAS is ${replicas}, but this is a single nats-server and no cluster`;
}

function jetStreamErrorCode(error: unknown): number | undefined {
  return error instanceof JetStreamApiError ? error.code : undefined;
}
