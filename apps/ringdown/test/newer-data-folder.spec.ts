import { freePorts, launch, running } from '@ringdown/testing/launched-system';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { programEnvironment } from '@ringdown/testing/program-environment';
import { programFile } from '@ringdown/testing/program-file';
import { spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownRelease } from '../src/upgrade/release.js';
import { folderDigests } from './folder-digests.js';

const own = ownRelease();
const ended = { out: '', err: '', code: 2 };

describe('a data folder of a newer version', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-newer-'));
  const data = join(folder, 'data');
  const backup = join(folder, 'backup');
  const version = join(data, 'data-version.json');
  let found: Record<string, unknown>;

  beforeAll(async () => {
    await seedDatabase(join(data, 'database'));
    const system = launch({ ...(await freePorts()), DATA_DIR: data });
    await running(system);
    // The file is written before the system is announced.
    found = JSON.parse(readFileSync(version, 'utf8'));
    await system.stop();
    expect(command('backup', backup)).toMatchObject({ code: 0 });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function command(name: string, ...args: string[]): typeof ended {
    const env = { ...programEnvironment(), DATA_DIR: data };
    const { stdout, stderr, status } = spawnSync(process.execPath, [programFile('ringdown', name), ...args], {
      env,
      encoding: 'utf8',
    });
    return { out: stdout, err: stderr, code: status ?? -1 };
  }

  it('has the version, schema, format and bus of the one that was ready with it', () => {
    const { version: release, schema, format } = own;
    expect(found).toEqual({ version: release, schema, format, nats: expect.stringMatching(/^2\.\d+\.\d+$/) });
    expect(lstatSync(version).mode & 0o777).toBe(0o600);
  });

  it('is refused in one line by the start and all commands that would change it, and nothing in it is changed', async () => {
    writeFileSync(version, JSON.stringify({ ...found, version: '9.1.0', schema: own.schema + 1 }));
    const before = folderDigests(data);
    const line =
      `the data folder ${data} (DATA_DIR) is of Ringdown 9.1.0 (schema ${own.schema + 1}), and this is ${own.version} (schema ${own.schema}): ` +
      `install 9.1.0 or later, or restore a backup of ${own.version} into another folder\n`;
    const system = launch({ ...(await freePorts()), DATA_DIR: data });
    expect(await system.ended).toBe(2);
    expect([system.stdout(), system.stderr()]).toEqual(['', `ringdown: ${line}`]);
    expect(command('migrate')).toEqual({ ...ended, err: `migrate: ${line}` });
    expect(command('backup', join(folder, 'another'))).toEqual({ ...ended, err: `backup: ${line}` });
    const restored = command('restore', backup, '--replace');
    expect({ ...restored, out: '' }).toEqual({ ...ended, err: `restore: ${line}` });
    expect(folderDigests(data)).toEqual(before);
  });

  it('is written by a restore with the version of the backup', () => {
    const other = join(folder, 'other');
    const env = { ...programEnvironment(), DATA_DIR: other };
    const { status } = spawnSync(process.execPath, [programFile('ringdown', 'restore'), backup], { env });
    expect(status).toBe(0);
    const { version: release, schema, format } = own;
    expect(JSON.parse(readFileSync(join(other, 'data-version.json'), 'utf8'))).toEqual({
      version: release,
      schema,
      format,
    });
  });
});
