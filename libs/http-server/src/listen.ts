import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { listenReason } from '@ringdown/observability';
import { once } from 'node:events';
import type { Server } from 'node:net';

/**
 * Connections that may wait to be taken. After a restart thousands of clients come back at once; with more than wait here,
 * the system turns them away. It takes less where it is set to less (on Linux `net.core.somaxconn`, mostly 4,096).
 */
const BACKLOG = 4_096;

/** A listener that cannot be opened is the operator's to mend, so the reason is said in the operator's words. */
export async function listen(app: NestFastifyApplication, port: number, host: string): Promise<number> {
  try {
    await app.listen({ port, host, backlog: BACKLOG });
  } catch (error) {
    throw new Error(listenReason(error, port, host), { cause: error });
  }
  return portOf(app.getHttpServer(), port);
}

/** The same for a server of Node's own. */
export async function listenOn(server: Server, port: number, host: string): Promise<number> {
  try {
    await once(server.listen({ port, host, backlog: BACKLOG }), 'listening');
  } catch (error) {
    throw new Error(listenReason(error, port, host), { cause: error });
  }
  return portOf(server, port);
}

function portOf(server: Pick<Server, 'address'>, asked: number): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : asked;
}

/** Whether only this machine reaches what listens there. */
export function isLoopback(host: string): boolean {
  return /^(?:127\.|::1$|localhost$)/i.test(host);
}
