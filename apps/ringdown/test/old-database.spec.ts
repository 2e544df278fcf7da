import { freePorts, launch, programEnvironment, running, Started, SystemClient, programFile } from '@ringdown/testing';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { RunningFile } from '../src/running-system.js';

/** Made by `npm run backup` of commit c8ee6b49, whose database was PGlite: five calls that have ended. */
const BACKUP = fileURLToPath(new URL('../../test/backup-of-pglite.tgz', import.meta.url));

async function command(name: string, dataDir: string, ...args: string[]): Promise<{ code: unknown; stderr: string }> {
  const program = programFile('ringdown', name);
  const env = { ...programEnvironment(), DATA_DIR: dataDir };
  const child = spawn(process.execPath, [program, ...args], { env });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { code, stderr };
}

describe('a data folder whose database is PGlite', () => {
  const started = new Started();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-old-'));
  const old = join(folder, 'old');
  const reason = `${join(old, 'database', 'pglite')} is a database of an earlier version (PGlite), which this version cannot open.`;
  let files: unknown;

  const filesOf = (path: string): readonly string[] =>
    readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name !== 'running.json');

  beforeAll(() => {
    mkdirSync(join(old, 'database', 'pglite', 'base'), { recursive: true });
    // Streams as they were before the bus had accounts.
    mkdirSync(join(old, 'nats', 'jetstream', '$G', 'streams', 'RECORDS'), { recursive: true });
    writeFileSync(join(old, 'nats', 'jetstream', '$G', 'streams', 'RECORDS', 'meta.inf'), '{}');
    files = filesOf(old);
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is refused by the start in one line, and not changed', async () => {
    const system = launch({ ...(await freePorts()), DATA_DIR: old });
    expect(await system.ended).toBe(1);
    expect(system.stderr()).toMatch(/^ringdown: [^\n]*\n$/);
    expect(system.stderr()).toContain(reason);
    expect(filesOf(old)).toEqual(files);
  });

  it.each([
    ['backup', [join(folder, 'backup')]],
    ['migrate', []],
  ])('is refused by the command for %s with the same words, and not changed', async (name, args) => {
    const { code, stderr } = await command(name, old, ...args);
    expect(code).toBe(1);
    expect(stderr).toContain(`${name}: ${reason}`);
    expect(filesOf(old)).toEqual(files);
  });

  it('is refused by the backup with the same words while the version runs that made it', async () => {
    const file = new RunningFile(old);
    file.claim();
    const { code, stderr } = await command('backup', old, join(folder, 'backup')).finally(() => file.release());
    expect(code).toBe(1);
    expect(stderr).toContain(`backup: ${reason}`);
    expect(filesOf(old)).toEqual(files);
  });

  it('is carried over by a backup of the version before', async () => {
    const [data, backup] = [join(folder, 'new'), join(folder, 'before')];
    mkdirSync(backup);
    execFileSync('tar', ['-xzf', BACKUP, '-C', backup]);
    expect(await command('restore', data, backup)).toMatchObject({ code: 0 });
    const ports = await freePorts();
    const system = started.add(launch({ ...ports, DATA_DIR: data }));
    await running(system);
    const client = started.add(new SystemClient(data, ports));
    const token = await client.signIn('carol');
    const { status, text: call } = await client.as(token, '/api/calls/old-call-4');
    expect({ status, call: JSON.parse(call) as unknown }).toMatchObject({
      status: 200,
      call: { callId: 'old-call-4', state: 'ended' },
    });
  });
});
