/** What a NATS server reports about itself on connection. */
export interface ServerGreeting {
  readonly version?: string;
  /** Name of the cluster that it belongs to. */
  readonly cluster?: string;
}

export interface ServerProblem {
  readonly reason: string;
  /** Whether the server must not be used. */
  readonly fatal: boolean;
}

/**
 * Before 2.10 a server acknowledges a message that is not on its disk yet. A single server loses the newest messages
 * when its machine crashes; servers that replicate a stream lost acknowledged records when their leader was killed:
 * rejected. Of three servers of 2.10.27, a leader whose disk became full acknowledged messages that the others did not have; 2.15.1 did
 * not in 30 tries.
 */
export function serverProblem({ version = '', cluster = '' }: ServerGreeting): ServerProblem | undefined {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  const sinceFloor = Number(major) - 2 || Number(minor) - 10;
  if (sinceFloor > 0 || (sinceFloor === 0 && cluster === '')) return undefined;
  const server = `nats-server ${version || 'of an unknown version'}`;
  if (sinceFloor === 0) {
    const reason = `${server} of a cluster can lose acknowledged records when the disk of one server is full; use a later version`;
    return { reason, fatal: false };
  }
  if (cluster !== '') {
    return { reason: `${server} of a cluster can lose acknowledged records; use 2.10 or later`, fatal: true };
  }
  const reason = `${server} can lose acknowledged records when its machine crashes; use 2.10 or later with sync_interval: always`;
  return { reason, fatal: false };
}
