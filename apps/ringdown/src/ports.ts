import { listenReason } from '@ringdown/observability';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Ports by the names of their settings. Found out before anything else is started, so that a busy port is told at once.
 * Throws an Error that names the setting.
 */
export async function assertPortsFree(
  ports: Readonly<Record<string, number | undefined>>,
  host: string,
): Promise<void> {
  const settingOf = new Map<number, string>();
  for (const [setting, port] of Object.entries(ports)) {
    if (port === undefined) continue;
    const other = settingOf.get(port);
    if (port !== 0 && other !== undefined) {
      throw new Error(`${other} and ${setting} are both ${port}; each needs a port of its own`);
    }
    settingOf.set(port, setting);
    await assertPortFree(port, host, setting);
  }
}

async function assertPortFree(port: number, host: string, setting: string): Promise<void> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new Error(`${listenReason(error, port, host)} (${setting})`, { cause: error });
  }
  server.close();
  await once(server, 'close');
}
