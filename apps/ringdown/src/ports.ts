import { listenReason } from '@ringdown/http-server';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Found out before anything else is started, so that a busy port is told at once. Throws an Error that names the setting. */
export async function assertPortFree(port: number, host: string, setting: string): Promise<void> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new Error(`${listenReason(error, port, host)} (${setting})`, { cause: error });
  }
  server.close();
  await once(server, 'close');
}
