import { listenReason } from '@ringdown/observability';
import { once } from 'node:events';
import type { Server } from 'node:net';

/**
 * Connections that may wait to be accepted. After a restart thousands of clients connect at once; the system rejects
 * those beyond this number. The limit is lower if the system is configured so (on Linux `net.core.somaxconn`, usually
 * 4,096).
 */
const BACKLOG = 4_096;

interface ListenAt {
  readonly port: number;
  readonly host: string;
  readonly backlog: number;
}

/**
 * Opens a port and returns its number. A listener that cannot be opened is the operator's to mend, so the error names
 * the reason in the operator's words. `open`: how a framework around the server does it.
 */
export async function listenOn(
  server: Server,
  port: number,
  host: string,
  open: (at: ListenAt) => Promise<unknown> = (at) => once(server.listen(at), 'listening'),
): Promise<number> {
  try {
    await open({ port, host, backlog: BACKLOG });
  } catch (error) {
    throw new Error(listenReason(error, port, host), { cause: error });
  }
  return listeningPort(server, port);
}

function listeningPort(server: Pick<Server, 'address'>, requested: number): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : requested;
}

/** Whether only this machine reaches what listens there. */
export function isLoopback(host: string): boolean {
  return /^(?:127\.|::1$|localhost$)/i.test(host);
}
