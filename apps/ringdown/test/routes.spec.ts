import { freePort } from '@ringdown/embedded';
import type { Program } from '@ringdown/service';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { METHODS } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { parse } from 'yaml';
import { startRingdown } from '../src/ringdown.js';

/** The channel on which Fastify reports each new server; a subscriber can add hooks before it has routes. */
const NEW_SERVERS = 'fastify.initialization';

interface NewServer {
  readonly fastify: {
    addHook(name: 'onRoute', hook: (route: { url: string; method: string | string[] }) => void): void;
  };
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** `GET /path/{parameter}`: HEAD exists for each GET and is not listed. */
function operations(path: string, methods: readonly string[]): readonly string[] {
  return methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${path}`);
}

describe('docs/openapi.yaml and the registered routes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-routes-'));
  const file = new URL('../../../../docs/openapi.yaml', import.meta.url);
  const { paths }: Description = parse(readFileSync(file, 'utf8'));
  const servers: string[][] = [];
  let collectorUrl: string;
  let program: Program;

  function follow(message: unknown): void {
    const routes: string[] = [];
    servers.push(routes);
    // What Fastify publishes; its types do not describe it.
    const { fastify } = message as NewServer;
    fastify.addHook('onRoute', ({ url, method }) => {
      // It only rejects what no other route serves, with every method.
      if (url.endsWith('/*') && method.includes('PROPFIND')) return;
      const path = url.replaceAll(/:(\w+)/g, '{$1}').replace(/(?<=.)\/$/, '');
      routes.push(...operations(path, [method].flat()));
    });
  }

  /** The routes in the document, of paths that are on the port of the collector or not. */
  function described(isFeed: boolean): readonly string[] {
    return Object.entries(paths)
      .filter(([, item]) => 'servers' in item === isFeed)
      .flatMap(([path, item]) =>
        operations(
          path,
          Object.keys(item)
            .map((key) => key.toUpperCase())
            .filter((key) => METHODS.includes(key)),
        ),
      );
  }

  beforeAll(async () => {
    subscribe(NEW_SERVERS, follow);
    const [web, feed] = [await freePort(), await freePort()];
    collectorUrl = `http://127.0.0.1:${feed}`;
    await seedDatabase(join(folder, 'database'));
    program = await startRingdown({
      PATH: process.env['PATH'],
      PORT: String(web),
      COLLECTOR_PORT: String(feed),
      INNER_PORT: '0',
      LISTEN_HOST: '127.0.0.1',
      DATA_DIR: folder,
    });
  });
  afterAll(async () => {
    unsubscribe(NEW_SERVERS, follow);
    await program?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are the same, in the web interface and the query API', () => {
    // The console and the page of meetings are no interfaces; their routes serve files.
    const running = servers.flat().filter((route) => !/^GET \/(?:console|meet)/.test(route));
    expect(running.length).toBeGreaterThan(10);
    expect(new Set(running)).toEqual(new Set(described(false)));
  });

  it('are the same in the feed: POST to any path, and nothing else', async () => {
    // The feed has a server without routes, which handles requests for all paths, whatever their method.
    const served: string[] = [];
    for (const path of new Set(described(true).map((operation) => operation.split(' ')[1] ?? ''))) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
        const { statusCode, body } = await request(collectorUrl + path.replaceAll(/\{\w+\}/g, 'any'), { method });
        await body.dump();
        if (statusCode !== 405) served.push(`${method} ${path}`);
      }
    }
    expect(served).toEqual(described(true));
  });
});
