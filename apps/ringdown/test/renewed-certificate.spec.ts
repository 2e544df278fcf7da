import { eventually } from '@ringdown/testing/eventually';
import { freePorts, launch, type LaunchedSystem, logged, running } from '@ringdown/testing/launched-system';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { freePort } from '@ringdown/embedded';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { generate } from 'selfsigned';

async function shown(port: string): Promise<string | undefined> {
  const socket = connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const fingerprint = socket.getPeerX509Certificate()?.fingerprint256;
  socket.destroy();
  return fingerprint;
}

describe('a renewed certificate', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-renewed-'));
  const [TLS_CERT, TLS_KEY] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  let system: LaunchedSystem | undefined;

  afterAll(async () => {
    await system?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Writes a new pair as clients of ACME do, and returns its fingerprint. */
  async function renew(): Promise<string> {
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], { keyType: 'ec' });
    for (const [path, content] of [
      [TLS_KEY, key],
      [TLS_CERT, cert],
    ] as const) {
      writeFileSync(`${path}.new`, content, { mode: 0o600 });
      renameSync(`${path}.new`, path);
    }
    return new X509Certificate(cert).fingerprint256;
  }

  it('is used by the web interface and by the feed without a restart, and a broken one is not', async () => {
    const first = await renew();
    const ports = { ...(await freePorts()), COLLECTOR_HTTPS_PORT: String(await freePort()) };
    const data = join(folder, 'data');
    await seedDatabase(join(data, 'database'));
    system = launch({ ...ports, DATA_DIR: data, TLS_CERT, TLS_KEY });
    await running(system);
    const { PORT, COLLECTOR_HTTPS_PORT } = ports;
    expect([await shown(PORT), await shown(COLLECTOR_HTTPS_PORT)]).toEqual([first, first]);
    expect(system.stdout()).not.toContain('fingerprint');
    const second = await renew();
    for (const port of [PORT, COLLECTOR_HTTPS_PORT])
      await eventually('the new certificate', async () => (await shown(port)) === second || undefined);
    writeFileSync(TLS_CERT, 'not a certificate');
    await logged(system, /TLS_CERT/);
    expect([await shown(PORT), await shown(COLLECTOR_HTTPS_PORT)]).toEqual([second, second]);
  });
});
