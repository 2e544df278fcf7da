import { readFirstUsers } from '@ringdown/directory/people-file';
import { eventually } from '@ringdown/testing/eventually';
import { freePorts, launch, running } from '@ringdown/testing/launched-system';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { Started } from '@ringdown/testing/started';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const guide = join(root, 'docs', 'guides', 'client');

const FILES = ['thirty-lines.ts', 'client.ts'];

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
    await seedDatabase(join(folder, 'database'));
    await running(
      started.add(launch({ ...ports, DATA_DIR: folder, PUBLIC_ORIGIN: `https://localhost:${ports.PORT}` })),
    );
    server = `https://localhost:${ports.PORT}`;
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a file of the guide as the guide describes it. */
  async function run(file: string, user: string, ...rest: readonly string[]): Promise<RunningClient> {
    const users = await readFirstUsers(join(folder, 'first-users.json'));
    const { username = '', password = '' } = users.find((each) => each.username.startsWith(user)) ?? {};
    const env = { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: join(folder, 'tls', 'cert.pem') };
    const child = spawn(process.execPath, [join(guide, file), server, username, password, ...rest], { env });
    const output = { out: '', err: '' };
    child.stdout.on('data', (chunk) => (output.out += String(chunk)));
    child.stderr.on('data', (chunk) => (output.err += String(chunk)));
    started.add({ stop: async () => void child.kill('SIGKILL') });
    return { process: child, output: () => output.out, errors: () => output.err };
  }

  it('has a client of thirty lines that sends a message and shows the result', async () => {
    const alice = await run('thirty-lines.ts', 'alice', 'bob', 'Are you there, 100%?');
    const isOver = (): boolean => alice.output().includes('messagingInvitation completed');
    await eventually('the end of the invitation', () => isOver() || alice.process.exitCode !== null);
    expect(alice.output()).toMatch(/^me updated/);
    expect(alice.output()).toContain(
      "messagingInvitation completed { code: 'RemoteFailure', subcode: 'TemporarilyUnavailable' }",
    );
    expect([alice.errors(), alice.process.exitCode]).toEqual(['', null]);
    alice.process.kill();
  });

  it('has a client that finds a person, writes, and receives the answer', async () => {
    const bob = await run('client.ts', 'bob');
    // Until the other client is available, this client reports that and ends; then it is started again.
    const alice = await eventually('an answer', async () => {
      const tried = await run('client.ts', 'alice', 'bob', 'Are you there, 100%?');
      await once(tried.process, 'close');
      if (tried.output() !== '') return tried;
      expect(tried.errors()).toContain('TemporarilyUnavailable');
      return undefined;
    });
    expect([alice.output(), alice.errors()]).toEqual(['You said: Are you there, 100%?\n', '']);
    await eventually('what bob has printed', () => bob.output() === 'Are you there, 100%?\n');
    expect(bob.process.exitCode).toBeNull();
  });

  it.each(FILES)('has correct types in %s', (file) => {
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
    const args = [tsc, '--ignoreConfig', ...options, join(guide, file)];
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, '']);
  });

  it('shows the thirty lines unchanged, and they are hardly more', () => {
    const shown = /```ts\n(.*?)```/s.exec(readFileSync(join(root, 'docs', 'guides', 'write-a-client.md'), 'utf8'))?.[1];
    expect(shown).toBe(readFileSync(join(guide, 'thirty-lines.ts'), 'utf8'));
    expect(shown?.trimEnd().split('\n').length).toBeLessThanOrEqual(35);
  });
});
