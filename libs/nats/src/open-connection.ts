import { AuthorizationError, connect, type NatsConnection } from '@nats-io/transport-node';
import { errorReason } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';
import { unresolvedHosts } from '@ringdown/settings';
import { openAccount, type BusAccount } from './bus-account.js';
import type { BusLogin } from './bus-login.js';
import { BusNotReachable } from './bus-not-reachable.js';
import { replicasProblem } from './streams/replicas.js';
import { serverProblem } from './server-problem.js';
import { isElecting } from './while-electing.js';

/** Time limit of the first connection; after later losses the client retries without a limit. */
const FIRST_CONNECT_MS = 10_000;
/**
 * A server that is cut off keeps its connections open: it is left at the third ping without a reply, after 4 to 6 s. A
 * collector then still has time to store a record elsewhere (COLLECTOR_STORE_MS). Without this, the client waits 6 minutes.
 */
const PINGS = { pingInterval: 2_000, maxPingOut: 2 };

export interface OpenConnectionOptions {
  readonly login: BusLogin;
  /** Shown in the server's list of connections. */
  readonly name: string;
  readonly logger: Logger;
  readonly replicas: number | undefined;
}

export interface OpenConnection {
  readonly connection: NatsConnection;
  readonly account: BusAccount;
}

/** Throws {@link BusNotReachable} when no server answers yet, and an Error when the bus must not be used; with one line each. */
export async function openConnection({
  login,
  name,
  logger,
  replicas,
}: OpenConnectionOptions): Promise<OpenConnection> {
  const servers = login.addresses.join(', ');
  if (login.addresses.length > 1) await warnOfUnresolved(login.addresses, logger);
  const connection = await connect({
    ...login.options(),
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    timeout: FIRST_CONNECT_MS,
    ...PINGS,
    // Capturing a stack trace for each publish, in case it fails, costs a fifth of the publish.
    noAsyncTraces: true,
  }).catch((error: unknown) => {
    const message = `cannot connect to the message bus at ${servers}: ${errorReason(error)}`;
    // A rejected login is the operator's to mend.
    if (error instanceof AuthorizationError) throw new Error(message, { cause: error });
    throw new BusNotReachable(message, { cause: error });
  });
  try {
    const { info } = connection;
    const problem = serverProblem(info ?? {});
    if (problem?.fatal) throw new Error(problem.reason);
    if (problem !== undefined) logger.warn({ server: servers }, problem.reason);
    const wrongReplicas = replicasProblem(info?.cluster, replicas);
    if (wrongReplicas !== undefined) throw new Error(wrongReplicas);
    return { connection, account: await openAccount(connection) };
  } catch (error) {
    await connection.close();
    const message = `the message bus at ${servers} cannot be used: ${errorReason(error)}`;
    if (isElecting(error)) throw new BusNotReachable(message, { cause: error });
    throw new Error(message, { cause: error });
  }
}

/** The others of a cluster are enough to start, but a wrong name is found only when they fail. */
async function warnOfUnresolved(servers: readonly string[], logger: Logger): Promise<void> {
  for (const { host, reason } of await unresolvedHosts(servers)) {
    logger.warn({ host, reason }, `the host ${host} of NATS_URL does not resolve`);
  }
}
