import type { Socket } from 'node:net';

/** How long the peer may continue to send after the answer, milliseconds. */
const LINGER_MS = 5_000;

const lingering = new WeakSet<Socket>();

/** Whether the last answer of this connection was sent, so that everything received on it is ignored. */
export function isLingering(socket: Socket): boolean {
  return lingering.has(socket);
}

/**
 * Ends this connection, after its answer, in a way that lets the peer read that answer even while it still sends: data
 * is read and discarded for a while. A connection that is closed with unread data is reset, and the reset destroys the
 * answer (RFC 9112, 9.6). Node ends a connection through `destroySoon`, which is replaced here.
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
