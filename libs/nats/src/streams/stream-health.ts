import type { StreamInfo } from '@nats-io/jetstream';
import { errorReason } from '@ringdown/errors';
import type { Bus } from '../bus.js';

/** After this time without a sign of life, a server counts as gone; its leader then reports it as not current. */
const GONE_NANOS = 10_000_000_000;

/** What servers report about the replicas of a stream; undefined if it has only one server. */
export type StreamCluster = Pick<NonNullable<StreamInfo['cluster']>, 'leader' | 'replicas'>;

/**
 * For health checks: whether a stream or bucket can be written to and read. It is asked, nothing is written. Rejects
 * with the reason.
 */
export async function assertStreamWorks(bus: Bus, stream: string): Promise<void> {
  const problem = leaderProblem(stream, await clusterOf(bus, stream));
  if (problem !== undefined) throw new Error(problem);
}

/** For health checks that are not needed for work: rejects while one failure more could stop the stream. */
export async function assertStreamComplete(bus: Bus, stream: string): Promise<void> {
  const behind = replicasBehind(await clusterOf(bus, stream));
  if (behind.length === 0) return;
  throw new Error(
    `the stream ${stream} is not up to date on ${behind.join(', ')}: restart what its leader does not hear`,
  );
}

async function clusterOf(bus: Bus, stream: string): Promise<StreamCluster | undefined> {
  bus.assertConnected();
  try {
    return (await bus.jsm.streams.info(stream)).cluster;
  } catch (error) {
    throw new Error(`the stream ${stream} does not answer: ${errorReason(error)}`, { cause: error });
  }
}

/** Undefined when a leader has enough servers to store with. A leader that has lost them reports itself for a while. */
export function leaderProblem(stream: string, cluster: StreamCluster | undefined): string | undefined {
  if (cluster === undefined) return undefined;
  if (!cluster.leader) return `the stream ${stream} has no leader`;
  const replicas = cluster.replicas ?? [];
  const alive = replicas.filter(({ current, active, offline }) => !offline && (current || active < GONE_NANOS));
  const all = replicas.length + 1;
  if ((alive.length + 1) * 2 > all) return undefined;
  return `the stream ${stream} has only ${alive.length + 1} of its ${all} servers`;
}

/** Names of servers that the leader does not report as current. */
export function replicasBehind(cluster: StreamCluster | undefined): string[] {
  return (cluster?.replicas ?? []).filter(({ current, offline }) => !current || offline).map(({ name }) => name);
}
