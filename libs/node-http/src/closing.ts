import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long requests in flight may take during a stop; less than the 10 s of Docker. */
const GRACE_MS = 8_000;
const LOOK_EVERY_MS = 100;

/**
 * Follows the connections of a server from now on. The function that is returned belongs to the server's `close`: it
 * lets requests in flight be answered and waits for no connection on which there is none. Node alone closes once what
 * is idle at that moment: a connection that becomes idle later, or never had a request, would delay the stop until its
 * time-out of a minute or more. `isInUse`: whether something else than the server answers a request on this connection.
 */
export function closableConnections(server: Server, isInUse: (socket: Socket) => boolean = () => false): () => void {
  // By the peer's address, because behind TLS a request comes on another socket than the one that was connected.
  const unasked = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const peer = socketPeer(socket);
    unasked.set(peer, socket);
    socket.once('close', () => unasked.delete(peer));
  });
  server.on('request', ({ socket }: IncomingMessage) => {
    // Mostly there is none, and reading the peer of each request from the system costs more than this check.
    if (unasked.size > 0) unasked.delete(socketPeer(socket));
  });

  return () => {
    const deadline = Date.now() + GRACE_MS;
    const closeIdle = (): void => {
      const isGrace = Date.now() < deadline;
      for (const socket of unasked.values()) if (!isGrace || !isInUse(socket)) socket.destroy();
      if (isGrace) server.closeIdleConnections();
      else server.closeAllConnections();
    };
    // After a delay of the event loop, timers run before sockets are read: read first what has arrived.
    const timer = setInterval(() => setImmediate(closeIdle), LOOK_EVERY_MS);
    server.once('close', () => clearInterval(timer));
  };
}

/** The other end of a connection, the same for a TLS socket and the one below it. */
export function socketPeer({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}:${remotePort}`;
}
