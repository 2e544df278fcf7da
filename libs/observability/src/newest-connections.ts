import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Limits the connections of a server. Of more than `most`, the oldest one without a request under way is closed: idle ones
 * never keep a probe out.
 */
export function keepNewestConnections(server: Server, most: number): void {
  /** In the order in which they were opened. */
  const open = new Set<Socket>();
  const answering = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    if (open.size <= most) return;
    // The new one itself, when all others have a request under way.
    const oldest = [...open].find((each) => !answering.has(each)) ?? socket;
    open.delete(oldest);
    oldest.destroy();
  });
  server.on('request', ({ socket }, response) => {
    answering.add(socket);
    response.once('close', () => answering.delete(socket));
  });
}
