import { Bus, splitUrl } from '@ringdown/bus';
import { readFirstUsers } from '@ringdown/directory';
import { createListener, listen } from '@ringdown/http-server';
import { Health, Metrics, type Logger } from '@ringdown/observability';
import { edgeSettings } from '@ringdown/service';
import { readSettings } from '@ringdown/settings';
import { quietLogger } from '@ringdown/testing';
import { join } from 'node:path';
import { discoveryAuth, discoveryAuthSettings } from '../src/index.js';

export interface RunningService {
  /** Where it listens: `http://127.0.0.1:port`. */
  readonly base: string;
  readonly bus: Bus;
  stop(): Promise<void>;
}

/** The whole service as its `main` runs it, but for the process. */
export async function startService(
  natsUrl: string,
  env: Record<string, string>,
  logger: Logger = quietLogger(),
): Promise<RunningService> {
  const settings = readSettings(
    { ...discoveryAuthSettings, ...edgeSettings },
    { PUBLIC_ORIGIN: 'https://uc.example.test', ...env },
  );
  const bus = await Bus.connect({ url: natsUrl, name: 'test', logger });
  const metrics = new Metrics();
  const context = { logger, metrics, bus, health: new Health(), natsUrl };
  const part = await discoveryAuth.open(settings, context).catch(async (error: unknown) => {
    await bus.close();
    throw error;
  });
  const app = await createListener({
    parts: [part],
    logger,
    metrics,
    trustedProxies: settings.trustedProxies,
    webInterface: {
      web: settings.vendorProfile.web,
      publicOrigins: settings.publicOrigins,
      allowedOrigins: settings.allowedOrigins,
    },
    requestReply: { ...splitUrl(natsUrl), queue: 'discovery-auth' },
  });
  const port = await listen(app, 0, '127.0.0.1');
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await app.close();
    await bus.close();
  };
  return { base: `http://127.0.0.1:${port}`, bus, stop: () => (stopped ??= stop()) };
}

export async function passwordOf(dataDir: string, name: string): Promise<string> {
  const users = await readFirstUsers(join(dataDir, 'first-users.json'));
  const found = users.find(({ username }) => username === `${name}@example.test`);
  if (found === undefined) throw new Error(`no first user ${name}`);
  return found.password;
}

export function postForm(base: string, fields: Record<string, string> | string, path = '/uc/token'): Promise<Response> {
  const headers = { 'content-type': "application/x-www-form-urlencoded;charset='utf-8'" };
  return fetch(base + path, { method: 'POST', headers, body: new URLSearchParams(fields).toString() });
}
