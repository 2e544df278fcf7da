import { freePort } from '@ringdown/embedded';
import { eventually } from '@ringdown/testing/eventually';
import { launch, logged, running, type LaunchedSystem } from '@ringdown/testing/launched-system';
import { Pebble } from '@ringdown/testing/servers/pebble';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { jest } from '@jest/globals';
import type { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';

jest.setTimeout(300_000);

const HOST = 'uc.example.org';

describe.each(['http-01', 'tls-alpn-01'] as const)('a system that an authority certifies by %s', (challenge) => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-acme-'));
  const data = join(folder, 'data');
  let authority: Pebble;
  let system: LaunchedSystem | undefined;
  let ports: { readonly web: number; readonly plain: number; readonly feed: number };

  beforeAll(async () => {
    ports = { web: await freePort(), plain: await freePort(), feed: await freePort() };
    authority = await Pebble.start({ httpPort: ports.plain, tlsPort: ports.web, lifetime: 40 });
    await seedDatabase(join(data, 'database'));
  });
  afterAll(async () => {
    await system?.stop();
    await authority.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Connects as a browser does that trusts the root of the authority alone. */
  async function certificateAt(port: number, ca: string): Promise<X509Certificate | undefined> {
    const socket = connect({ host: '127.0.0.1', port, servername: HOST, ca });
    try {
      await once(socket, 'secureConnect');
      return socket.getPeerX509Certificate();
    } catch {
      return undefined;
    } finally {
      socket.destroy();
    }
  }

  async function statusOf(ca: string): Promise<number | undefined> {
    const sent = request({ host: '127.0.0.1', port: ports.web, servername: HOST, ca, headers: { host: HOST } });
    sent.end();
    const [response] = await once(sent, 'response');
    await text(response);
    return response.statusCode;
  }

  it('has its certificate soon after the start, and the next one, without a restart', async () => {
    system = launch({
      PORT: String(ports.web),
      ...(challenge === 'http-01' && { HTTP_PORT: String(ports.plain) }),
      COLLECTOR_PORT: String(await freePort()),
      COLLECTOR_HTTPS_PORT: String(ports.feed),
      DATA_DIR: data,
      PUBLIC_ORIGIN: `https://${HOST}`,
      ACME_DIRECTORY: authority.directory,
      ACME_CA_FILE: authority.caFile,
      ACME_TERMS: 'agreed',
      ACME_EMAIL: 'admin@example.org',
      LOG_LEVEL: 'info',
    });
    await running(system);
    const root = await authority.root();
    const first = await eventually('the certificate', () => certificateAt(ports.web, root));
    expect(first.checkHost(HOST)).toBe(HOST);
    expect(await statusOf(root)).toBe(200);
    await eventually('the certificate of the feed', async () => {
      const found = await certificateAt(ports.feed, root);
      return found?.fingerprint256 === first.fingerprint256 || undefined;
    });
    const { mode } = statSync(join(data, 'tls/acme/certificate.pem'));
    expect(mode & 0o777).toBe(0o600);
    const next = await eventually('the renewed certificate', async () => {
      const found = await certificateAt(ports.web, root);
      return found !== undefined && found.fingerprint256 !== first.fingerprint256 ? found : undefined;
    });
    expect(next.validFromDate.getTime()).toBeGreaterThan(first.validFromDate.getTime());
    await logged(system, /a new certificate was obtained/);
    expect(JSON.parse(readFileSync(join(data, 'running.json'), 'utf8'))).not.toHaveProperty('fingerprint');
  });
});
