import { freePort } from '@ringdown/embedded';
import { eventually } from '@ringdown/testing/eventually';
import { freePorts, launch, logged, running, SystemClient } from '@ringdown/testing/launched-system';
import { Pebble } from '@ringdown/testing/servers/pebble';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { authority, certificate } from '@ringdown/feed-client/test/certificates.js';
import { Started } from '@ringdown/testing/started';
import { jest } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uploaded } from './uploaded-call.js';

jest.setTimeout(300_000);

const HOST = 'uc.example.org';
const DONE = { state: 'done', packets: 3, calls: 1, callIds: ['call-1'], reason: null };

interface System {
  readonly client: (ca?: string) => SystemClient;
  readonly logged: (pattern: RegExp) => Promise<string>;
}

describe('a feed over HTTPS alone, which programs of the machine itself post to', () => {
  const started = new Started();
  let folder: string;
  let files: Readonly<Record<'cert' | 'key', string>>;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-https-'));
    files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  });
  afterEach(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(given: Readonly<Record<string, string>>): Promise<System> {
    const ports = { ...(await freePorts()), ...given };
    const data = join(folder, 'data');
    const feed = { COLLECTOR_PLAIN_HTTP: 'off', COLLECTOR_HTTPS_PORT: String(await freePort()) };
    const env = { ...ports, ...feed, DATA_DIR: data };
    await seedDatabase(join(data, 'database'));
    const system = started.add(launch(env));
    await running(system);
    return {
      client: (ca) =>
        started.add(new SystemClient(data, ports, undefined, ca === undefined ? undefined : { ca, servername: HOST })),
      logged: (pattern) => logged(system, pattern),
    };
  }

  /** A certificate that does not name this machine, of an authority that nobody trusts; key first, as they are renewed one after the other. */
  async function renew(): Promise<string> {
    const issuer = await authority();
    const { cert, key } = await certificate(HOST, undefined, issuer);
    for (const [path, content] of [
      [files.key, key],
      [files.cert, `${cert}\n${issuer.cert}`],
    ] as const) {
      writeFileSync(`${path}.new`, content, { mode: 0o600 });
      renameSync(`${path}.new`, path);
    }
    return issuer.cert;
  }

  it('accepts uploads with the certificate that the system made', async () => {
    const { client } = await start({});
    const operator = client();
    expect(await uploaded(operator, await operator.signIn('carol'))).toMatchObject(DONE);
  });

  it('accepts uploads with a certificate of the operator that names another host', async () => {
    const ca = await renew();
    const { client } = await start({ TLS_CERT: files.cert, TLS_KEY: files.key });
    const operator = client(ca);
    expect(await uploaded(operator, await operator.signIn('carol'))).toMatchObject(DONE);
  });

  it('accepts uploads while its own certificate is renewed, and when the new one is damaged', async () => {
    await renew();
    const own = { COLLECTOR_TLS_CERT: files.cert, COLLECTOR_TLS_KEY: files.key };
    const system = await start({ ...own, LOG_LEVEL: 'info' });
    const operator = system.client();
    const token = await operator.signIn('carol');
    expect(await uploaded(operator, token)).toMatchObject(DONE);
    await renew();
    expect(await uploaded(operator, token)).toMatchObject(DONE);
    await system.logged(/files have changed and were read again/);
    expect(await uploaded(operator, token)).toMatchObject(DONE);
    writeFileSync(files.cert, 'not a certificate');
    await system.logged(/COLLECTOR_TLS_CERT/);
    expect(await uploaded(operator, token)).toMatchObject(DONE);
  });

  it('accepts uploads with the certificate of an authority', async () => {
    const web = await freePort();
    const pebble = started.add(await Pebble.start({ httpPort: web, tlsPort: web }));
    const { client } = await start({
      PORT: String(web),
      PUBLIC_ORIGIN: `https://${HOST}`,
      ACME_DIRECTORY: pebble.directory,
      ACME_CA_FILE: pebble.caFile,
      ACME_TERMS: 'agreed',
    });
    const file = join(folder, 'data/tls/acme/certificate.pem');
    await eventually('the certificate', () => new X509Certificate(readFileSync(file)).checkHost(HOST));
    const root = await pebble.root();
    const token = await eventually('the certificate in use', () =>
      client(root)
        .signIn('carol')
        .catch(() => undefined),
    );
    expect(await uploaded(client(root), token)).toMatchObject(DONE);
  });
});
