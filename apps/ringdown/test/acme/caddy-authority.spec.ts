import { programEnvironment } from '@ringdown/testing/program-environment';
import { eventually } from '@ringdown/testing/eventually';
import { programFile } from '@ringdown/testing/program-file';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { jest } from '@jest/globals';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { endProgram, Namespaces, type Namespace } from '../phones/namespaces.js';

jest.setTimeout(300_000);

const HOST = 'uc.example.org';
const AUTHORITY = 'ca.example.org';

const CADDYFILE = `{
	admin off
	auto_https disable_redirects
	skip_install_trust
}
https://${AUTHORITY}:9443 {
	tls internal
	acme_server
}
`;

/** Prints the status and the issuer of the certificate that a client gets who trusts one root, or nothing. */
const CLIENT = `
const { request } = require('node:https');
const ca = require('node:fs').readFileSync(process.argv[1]);
const sent = request('https://${HOST}/', { ca }, (response) => {
  console.log(response.statusCode, response.socket.getPeerX509Certificate().issuer);
  response.resume();
});
sent.on('error', () => undefined).end();
`;

/** It looks at ports 80 and 443 alone, so that it has a network of its own here: this test is for root. */
describe('the authority inside of Caddy', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-acme-caddy-'));
  const root = join(folder, 'caddy/pki/authorities/local/root.crt');
  let namespaces: Namespaces | undefined;
  let place: Namespace;

  beforeAll(async () => {
    namespaces = await Namespaces.start();
    place = await namespaces.add('acme');
    place.setHosts([`127.0.0.1 localhost ${HOST} ${AUTHORITY}`]);
    writeFileSync(join(folder, 'Caddyfile'), CADDYFILE);
    const caddy = ['caddy', 'run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
    place.spawn('env', [`XDG_DATA_HOME=${folder}`, `HOME=${folder}`, ...caddy]);
    await eventually('the authority', () => exists(root));
  });
  afterAll(async () => {
    await namespaces?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(data: string, env: Readonly<Record<string, string>>): Promise<ChildProcess> {
    await seedDatabase(join(data, 'database'));
    const all = {
      ...programEnvironment(),
      HOME: process.env['HOME'],
      PORT: '443',
      DATA_DIR: data,
      UPGRADE_COPY: 'off',
      PUBLIC_ORIGIN: `https://${HOST}`,
      ACME_DIRECTORY: `https://${AUTHORITY}:9443/acme/local/directory`,
      ACME_CA_FILE: root,
      ...env,
    };
    const given = Object.entries(all).map(([name, value]) => `${name}=${value}`);
    return place.spawn('env', ['-i', ...given, process.execPath, programFile('ringdown')]);
  }

  async function asked(): Promise<string> {
    const client = place.spawn(process.execPath, ['-e', CLIENT, root]);
    return text(client.stdout);
  }

  it.each([
    ['tls-alpn-01', {}],
    ['http-01', { HTTP_PORT: '80' }],
  ])('issues a certificate by %s to a system that runs', async (challenge, env) => {
    const system = await start(join(folder, challenge), env);
    const issuer = await eventually('the certificate', async () => {
      const [, found] = /^200 ([^]*)/.exec(await asked()) ?? [];
      return found;
    });
    expect(issuer).toContain('Caddy Local Authority - ECC Intermediate');
    await endProgram(system);
  });
});

function exists(file: string): boolean {
  try {
    return readFileSync(file).length > 0;
  } catch {
    return false;
  }
}
