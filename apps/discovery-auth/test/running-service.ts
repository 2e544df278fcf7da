import type { Bus } from '@ringdown/nats';
import { readFirstUsers } from '@ringdown/directory/people-file';
import { Health, Metrics, type Logger } from '@ringdown/observability';
import { startWebService } from '@ringdown/web-service';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { join } from 'node:path';
import { discoveryAuth } from '../src/index.js';

export interface RunningService {
  /** Its base URL: `http://127.0.0.1:port`. */
  readonly base: string;
  readonly bus: Bus;
  stop(): Promise<void>;
}

/** The whole service as its `main` runs it, but inside this process. */
export async function startService(
  natsUrl: string,
  env: Record<string, string>,
  logger: Logger = quietLogger(),
): Promise<RunningService> {
  const given = {
    PUBLIC_ORIGIN: 'https://uc.example.test',
    SERVICE_PORT: '0',
    // The limit of connections has its own tests (libs/node-http).
    WEB_CONNECTIONS_PER_ADDRESS: '10000',
    ...env,
  };
  const { app, running, base } = await startWebService({
    service: discoveryAuth,
    env: given,
    natsUrl,
    shared: { logger, metrics: new Metrics(), health: new Health() },
  });
  const bus = await running.busOf('discovery-auth');
  let stopped: Promise<void> | undefined;
  return { base, bus, stop: () => (stopped ??= app.close()) };
}

export async function firstUserPassword(dataDir: string, name: string): Promise<string> {
  const users = await readFirstUsers(join(dataDir, 'first-users.json'));
  const found = users.find(({ username }) => username === `${name}@example.test`);
  if (found === undefined) throw new Error(`no first user ${name}`);
  return found.password;
}

export function postForm(base: string, fields: Record<string, string> | string, path = '/uc/token'): Promise<Response> {
  const headers = { 'content-type': "application/x-www-form-urlencoded;charset='utf-8'" };
  return fetch(base + path, { method: 'POST', headers, body: new URLSearchParams(fields).toString() });
}
