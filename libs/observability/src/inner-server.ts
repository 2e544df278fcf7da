import { setting, type SettingValues } from '@ringdown/settings';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { Health } from './health.js';
import { listenReason } from './listen-reason.js';
import type { Metrics } from './metrics.js';
import { keepNewestConnections } from './newest-connections.js';

export const innerServerSettings = {
  innerPort: {
    ...setting.port('INNER_PORT', {
      task: 'operation',
      default: 8790,
      about: 'Port for health and metrics; never publish it',
    }),
    shownDefault: '8790; sender: 8791',
  },
  innerHost: setting.host('INNER_HOST', {
    task: 'operation',
    default: '127.0.0.1',
    about: 'Address for health and metrics',
  }),
};

/** A few programs of the operator ask; more connections would only use up descriptors. */
const MOST_CONNECTIONS = 32;

/** `GET /health/live`, `/health/ready` (503 with the reasons) and `/metrics`, for the operator's network only. */
export async function startInnerServer(
  settings: SettingValues<typeof innerServerSettings>,
  parts: { metrics: Metrics; health: Health },
): Promise<Server> {
  const server = createServer((request, response) => {
    answer(request, response, parts).catch((error: unknown) => {
      response.writeHead(500, { 'content-type': 'text/plain' }).end(`${String(error)}\n`);
    });
  });
  keepNewestConnections(server, MOST_CONNECTIONS);
  const { innerPort: port, innerHost: host } = settings;
  try {
    await once(server.listen(port, host), 'listening');
  } catch (cause) {
    const reason = listenReason(cause, port, host);
    throw new Error(`the port for health and metrics cannot be opened (INNER_PORT, INNER_HOST): ${reason}`, { cause });
  }
  return server;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { metrics, health }: { metrics: Metrics; health: Health },
): Promise<void> {
  const json = (status: number, body: unknown): unknown =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
  // Node sends no body for HEAD, with which some load balancers check.
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return void json(405, { error: 'the only supported methods are GET and HEAD' });
  // Scrapers and checks may have parameters of their own.
  const [path] = (request.url ?? '').split('?', 1);
  switch (path) {
    case '/health/live':
      return void json(200, { live: true });
    case '/health/ready': {
      const report = await health.report();
      return void json(report.ready ? 200 : 503, report);
    }
    case '/metrics': {
      const text = await metrics.registry.metrics();
      return void response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text);
    }
    default:
      return void json(404, { error: 'paths: /health/live, /health/ready, /metrics' });
  }
}
