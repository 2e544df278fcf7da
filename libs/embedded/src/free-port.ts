import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** A port of the loopback address that nobody uses right now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('the system gave no port');
  return address.port;
}

/** Resolves when something listens on the loopback port or the Unix socket. */
export async function listening(address: number | string): Promise<void> {
  for (;;) {
    const socket = typeof address === 'number' ? connect(address, '127.0.0.1') : connect(address);
    const open = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    socket.destroy();
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
