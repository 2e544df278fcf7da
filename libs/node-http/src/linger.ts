import type { Socket } from 'node:net';

/** How long the peer may go on sending after the answer, milliseconds. */
const LINGER_MS = 5_000;

const lingering = new WeakSet<Socket>();

/** Whether this connection has its last answer, so that whatever arrives on it is ignored. */
export function isLingering(socket: Socket): boolean {
  return lingering.has(socket);
}

/**
 * Ends this connection, once its answer is given, in a way that lets the peer see that answer even while it still sends:
 * what comes is read away for a while. A connection that is closed over something unread is reset, and a reset takes
 * the answer with it (RFC 9112, 9.6). Node ends a connection through `destroySoon`, which is replaced here.
 */
export function lingerAtEnd(socket: Socket, lingerMs = LINGER_MS): void {
  lingering.add(socket);
  socket.destroySoon = (): void => {
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
    // When the peer ends its side too, the socket closes by itself.
    socket.end();
    socket.resume();
  };
}
