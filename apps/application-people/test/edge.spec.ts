import { jest } from '@jest/globals';
import { freePort } from '@ringdown/testing/embedded-servers';
import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { ProxyProgram } from '@ringdown/testing/servers/proxy-program';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { PASSWORD, startApplicationPeople, startDiscoveryAuth, writePeople } from './running-services.js';

jest.setTimeout(180_000);

/** Compiled, this file is in `apps/application-people/dist/test`. */
const DEPLOYED = readFileSync(new URL('../../../../deploy/edge/Caddyfile', import.meta.url), 'utf8');
/** How long the edge tries to connect to a service (`lb_try_duration`). */
const TRIES_MS = 5_000;

/** A restart that a busy machine does not prolong. */
const RESTART_MS = 1_500;

/** The address of a service whose connections can be refused for a time, as while it starts again. */
class Doorway {
  private server: Server | undefined;
  private readonly sockets = new Set<Socket>();

  constructor(
    readonly port: number,
    private readonly base: URL,
  ) {}

  async open(): Promise<void> {
    this.server = createServer((client) => {
      const service = connect(Number(this.base.port), this.base.hostname);
      for (const socket of [client, service]) {
        this.sockets.add(socket);
        socket.on('close', () => this.sockets.delete(socket)).on('error', () => socket.destroy());
      }
      client.pipe(service).pipe(client);
    }).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (server === undefined) return;
    server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(server, 'close');
  }
}

interface Reply {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

describe('the services behind the Caddy of deploy/edge', () => {
  const started = new Started();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-edge-'));
  let nats: TestNats;
  let port: number;
  let auth: Doorway;
  let edge: ProxyProgram;

  beforeAll(async () => {
    const file = join(folder, 'people.json');
    await writePeople(file, [{ user: 'alice', name: 'Alice Archer' }]);
    nats = started.add(await startNats());
    port = await freePort();
    const ports = { [8443]: port, [8088]: await freePort(), [2020]: await freePort() };
    const env = { PUBLIC_ORIGIN: `https://localhost:${port}`, TRUSTED_PROXIES: '127.0.0.0/8', PEOPLE_FILE: file };
    const service = started.add(await startDiscoveryAuth(nats.urlOf('discovery-auth'), env));
    auth = started.add(new Doorway(await freePort(), new URL(service.base)));
    await auth.open();
    const people = started.add(await startApplicationPeople(nats.urlOf('application-people'), env));
    const config = Object.entries(ports).reduce((text, [from, to]) => text.replaceAll(from, String(to)), DEPLOYED);
    const upstreams = { DISCOVERY_AUTH: `127.0.0.1:${auth.port}`, APPLICATION_PEOPLE: new URL(people.base).host };
    const names = { EDGE_HOSTS: 'localhost, 127.0.0.1', EDGE_TLS: 'internal', HSTS_SECONDS: '300' };
    edge = started.add(await ProxyProgram.start({ command: 'caddy', config, port, env: { ...upstreams, ...names } }));
    await eventually('the certificate', () =>
      send('/').then(
        () => true,
        () => false,
      ),
    );
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Like a client that trusts the own authority of the edge. */
  function send(path: string, body?: string, headers: Record<string, string> = {}): Promise<Reply> {
    const ca = readFileSync(join(edge.folder, 'caddy/pki/authorities/local/root.crt'));
    const method = body === undefined ? 'GET' : 'POST';
    return new Promise((resolve, reject) => {
      const sent = request({ host: 'localhost', port, path, method, headers, ca }, (response) => {
        const { statusCode: status, headers: received } = response;
        text(response).then((read) => resolve({ status, headers: received, body: read }), reject);
      });
      sent.on('error', reject).end(body);
    });
  }

  function signIn(): Promise<Reply> {
    const form = new URLSearchParams({ grant_type: 'password', username: 'alice@example.test', password: PASSWORD });
    return send('/uc/token', form.toString(), { 'content-type': 'application/x-www-form-urlencoded' });
  }

  it('sign a person in and create an application, each service under its paths', async () => {
    const { status, headers, body } = await signIn();
    expect([status, headers['strict-transport-security']]).toEqual([200, 'max-age=300']);
    const { access_token: token }: { access_token: string } = JSON.parse(body);
    const application = JSON.stringify({ culture: 'en', endpointId: 'edge', userAgent: 'Test/1' });
    const authorization = `Bearer ${token}`;
    const created = await send('/uc/v1/applications', application, {
      authorization,
      'content-type': 'application/json',
    });
    expect([created.status, JSON.parse(created.body)]).toMatchObject([
      201,
      { _embedded: { me: { name: 'Alice Archer' } } },
    ]);
  });

  it('leave a request without a body waiting while its service starts again, and answer it then', async () => {
    await auth.stop();
    const waiting = send('/');
    await sleep(RESTART_MS);
    await auth.open();
    expect((await waiting).status).toBe(200);
  });

  it('get the error of the interface from the edge while their service is down, and others go on', async () => {
    await auth.stop();
    const before = performance.now();
    const { status, headers, body } = await send('/');
    expect(performance.now() - before).toBeGreaterThan(TRIES_MS / 2);
    expect([status, headers['content-type'], JSON.parse(body)]).toEqual([
      502,
      'application/json',
      { code: 'ServiceUnavailable', message: 'The service behind this address does not answer. Try again soon.' },
    ]);
    expect((await send('/uc/v1/applications')).status).toBe(401);
    await auth.open();
    expect((await signIn()).status).toBe(200);
  });
});
