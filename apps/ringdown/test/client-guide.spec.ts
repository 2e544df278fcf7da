import { readFirstUsers } from '@ringdown/directory';
import { eventually, Started } from '@ringdown/testing';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts, launch, running } from './launched-system.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const guide = join(root, 'docs', 'guides', 'client');

interface RunningClient {
  readonly process: ChildProcess;
  readonly output: () => string;
  readonly errors: () => string;
}

describe('the guide to writing a client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-guide-'));
  const started = new Started();
  let server: string;

  beforeAll(async () => {
    const ports = await freePorts();
    await running(
      started.add(launch({ ...ports, DATA_DIR: folder, PUBLIC_ORIGIN: `https://localhost:${ports.PORT}` })),
    );
    server = `https://localhost:${ports.PORT}`;
  }, 120_000);
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The file of the guide, run as it says. */
  async function client(user: string, ...rest: readonly string[]): Promise<RunningClient> {
    const users = await readFirstUsers(join(folder, 'first-users.json'));
    const { username = '', password = '' } = users.find((each) => each.username.startsWith(user)) ?? {};
    const env = { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: join(folder, 'tls', 'cert.pem') };
    const child = spawn(process.execPath, [join(guide, 'client.ts'), server, username, password, ...rest], { env });
    const output = { out: '', err: '' };
    child.stdout.on('data', (chunk) => (output.out += String(chunk)));
    child.stderr.on('data', (chunk) => (output.err += String(chunk)));
    started.add({ stop: async () => void child.kill('SIGKILL') });
    return { process: child, output: () => output.out, errors: () => output.err };
  }

  it('has a client that finds somebody, writes, and gets the answer', async () => {
    const bob = await client('bob');
    // As long as nobody is there to answer, the client says so and ends; then it is started again.
    const alice = await eventually(
      'an answer',
      async () => {
        const tried = await client('alice', 'bob', 'Are you there, 100%?');
        await once(tried.process, 'exit');
        if (tried.output() !== '') return tried;
        expect(tried.errors()).toContain('TemporarilyUnavailable');
        return undefined;
      },
      90_000,
    );
    expect([alice.output(), alice.errors()]).toEqual(['You said: Are you there, 100%?\n', '']);
    expect(bob.output()).toBe('Are you there, 100%?\n');
    expect(bob.process.exitCode).toBeNull();
  }, 120_000);

  it('has one whose types are right', () => {
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
    const args = [tsc, '--ignoreConfig', ...options, join(guide, 'client.ts')];
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, '']);
  }, 120_000);

  it('shows the file as it is', () => {
    const shown = /```ts\n(.*?)```/s.exec(readFileSync(join(root, 'docs', 'guides', 'write-a-client.md'), 'utf8'))?.[1];
    expect(shown).toBe(readFileSync(join(guide, 'client.ts'), 'utf8'));
  });
});
