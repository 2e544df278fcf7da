import { jest } from '@jest/globals';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandsUnder, linesOf } from '../../src/documents.js';

jest.setTimeout(1_200_000);

const CHECKOUT = join(import.meta.dirname, '../../../../..');
const [START = '', , STATUS_AND_STOP = ''] = commandsUnder('README.md', 'Quick start');
const LOOK_MS = 200;

/** What a shell of the machine has: no program of the checkout, no setting of the test. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(HOME|NODE_EXTRA_CA_CERTS|npm_config_(registry|cafile))$/i.test(name),
  );
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter) };
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port }: { readonly port?: number } = Object(server.address());
  server.close();
  return String(port);
}

/** The commit, with what npm and apt download; on ports of its own. */
describe('a fresh clone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-clone-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('becomes a system that runs by the one command of README.md', async () => {
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', CHECKOUT, folder], { stdio: 'pipe' });
    const ports = { PORT: await freePort(), COLLECTOR_PORT: await freePort(), INNER_PORT: '0' };
    const env = { ...cleanEnvironment(), ...ports, LISTEN_HOST: '127.0.0.1' };
    const began = performance.now();
    const system = spawn('sh', ['-c', START], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [system.stdout, system.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    const ended = once(system, 'close');
    while (!output.includes('Ringdown is running') && system.exitCode === null) await sleep(LOOK_MS);
    process.stderr.write(`a fresh clone, until it runs: ${((performance.now() - began) / 1_000).toFixed(0)} s\n`);
    expect(output).toContain(`https://localhost:${ports.PORT}/console/`);
    for (const line of linesOf(STATUS_AND_STOP)) {
      const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { cwd: folder, env, encoding: 'utf8' });
      expect({ line, status, stdout, stderr }).toMatchObject({ status: 0 });
    }
    await ended;
  });
});
