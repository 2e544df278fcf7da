import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Closes a connection at once. The operating system throws away what it has not sent yet; after a usual close it would still send
 * it: up to a few megabytes, for as long as a slow client takes.
 */
export function resetConnection(socket: Socket | null): void {
  // Node resets only the connection below TLS, and names it nowhere else.
  const below: unknown = socket instanceof TLSSocket ? Reflect.get(socket, '_parent') : socket;
  if (below instanceof Socket && !below.destroyed) below.resetAndDestroy();
  socket?.destroy();
}
