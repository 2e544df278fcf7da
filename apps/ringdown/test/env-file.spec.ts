import { eventually } from '@ringdown/testing/eventually';
import { freePorts, SystemClient } from '@ringdown/testing/launched-system';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { Started } from '@ringdown/testing/started';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { composeNames, knownNames, linksToAnotherPort, settingsWithoutEffect } from '../src/setting-names.js';
import { startXml } from './feed-examples.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

describe('.env', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-env-'));
  const started = new Started();

  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  it('as copied from the example, starts a system with "npm start" that accepts records and shows calls', async () => {
    const file = join(folder, '.env');
    copyFileSync(join(root, '.env.example'), file);
    const data = join(folder, 'data');
    await seedDatabase(join(data, 'database'));
    const ports = await freePorts();
    const own = { ...ports, DATA_DIR: data, LISTEN_HOST: '127.0.0.1', INNER_PORT: '0' };
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...own, RINGDOWN_ENV_FILE: file };
    const npm = spawn('npm', ['start'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const closed = once(npm, 'close');
    const stop = async (): Promise<void> => {
      npm.kill('SIGTERM');
      await closed;
    };
    started.add({ stop });
    let output = '';
    for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    await eventually('the system', () => output.includes('Ringdown is running') || npm.exitCode !== null);
    expect(output).toContain('ringdown: no effect here: EDGE_HOSTS (for docker-compose.yml)\n');
    expect(output).toContain('ringdown: links lead to https://localhost:8443 (PUBLIC_ORIGIN), but');
    const client = new SystemClient(data, ports);
    expect(await client.post(startXml('first-call'))).toMatchObject({ status: 200 });
    const token = await client.signIn('carol');
    await eventually('the call', async () => (await client.as(token, '/api/calls/first-call')).status === 200);
    await client.stop();
  });

  it('may contain every setting that the compose files read', () => {
    const files = ['docker-compose.yml', ...readdirSync(join(root, 'deploy')).map((name) => `deploy/${name}`)];
    const names = files
      .filter((file) => file.endsWith('.yml'))
      .flatMap((file) => [...read(file).matchAll(/\$\{([A-Z_\d]+)/g)].map(([, name = '']) => name));
    expect(names.filter((name) => !knownNames.includes(name))).toEqual([]);
    const forTheTools = ['COMPOSE_DOCKER_CLI_BUILD', 'COMPOSE_PROJECT_NAME', 'DOCKER_BUILDKIT'];
    expect(composeNames.filter((name) => !names.includes(name))).toEqual(forTheTools);
  });

  it('lists only existing settings in the example', () => {
    const names = [...read('.env.example').matchAll(/^(?:# )?([A-Z][A-Z_\d]+)=/gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => !knownNames.includes(name))).toEqual([]);
  });

  it('may contain settings of a sender, which "npm start" reports as without effect', () => {
    expect(
      settingsWithoutEffect({ HEP_PORT: '9060', FRONT_END: 'fe1', SERVICE_PORT: '1', PORT: '1', EDGE_TLS: ' ' }),
    ).toEqual([
      'no effect here: FRONT_END, HEP_PORT (for a sender: npx ringdown-sender run)',
      'no effect here: SERVICE_PORT (for services in processes of their own)',
    ]);
  });

  it('with an origin of another port, which a second system uses as well, is reported', () => {
    const line = 'links lead to https://localhost:8443 (PUBLIC_ORIGIN), but this system listens on port 9443 (PORT)';
    expect(linksToAnotherPort(9443, 'https://localhost:8443, https://uc.example.test')).toEqual([line]);
    expect(linksToAnotherPort(9443, 'https://localhost')).toHaveLength(1);
    for (const fitting of ['https://localhost:9443', 'https://uc.example.test', '', undefined])
      expect(linksToAnotherPort(9443, fitting)).toEqual([]);
  });
});
