import { freePorts, launch, running } from '@ringdown/testing/launched-system';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { programFile } from '@ringdown/testing/program-file';
import { processesIn } from '@ringdown/testing/running-processes';
import { Started } from '@ringdown/testing/started';
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processMark } from '../src/running-system.js';

const NOBODY = 65_534;
const stop = programFile('ringdown', 'stop');

/** Real, effective, saved and file-system user of a process: with any of them it could be root again. */
function usersOf(pid: number): string | undefined {
  return /^Uid:\t(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
}

describe('root with a data folder of another user', () => {
  const started = new Started();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-foreign-'));
  const data = join(folder, 'data');

  beforeAll(() => chmodSync(folder, 0o755));
  beforeEach(() => {
    mkdirSync(data, { mode: 0o700 });
    chownSync(data, NOBODY, NOBODY);
  });
  afterEach(async () => {
    await started.stopAll();
    rmSync(data, { recursive: true, force: true });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('runs everything with the rights of that user, for good, and says so in one line', async () => {
    await seedDatabase(join(data, 'database'));
    spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, data]);
    const system = started.add(launch({ ...(await freePorts()), DATA_DIR: data }));
    await running(system);
    expect(system.stderr()).toContain(
      `ringdown: ${data} (DATA_DIR) belongs to user ${NOBODY}: running with the rights of that user\n`,
    );
    const pids = [system.process.pid ?? 0, ...processesIn(data).map(({ pid }) => pid)];
    expect(pids.length).toBeGreaterThan(2);
    const nobody = [NOBODY, NOBODY, NOBODY, NOBODY].join('\t');
    expect(pids.map(usersOf)).toEqual(pids.map(() => nobody));
    const files = readdirSync(data, { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => lstatSync(join(data, name)).uid !== NOBODY)).toEqual([]);
    const { status, stderr } = spawnSync(process.execPath, [stop], { env: { DATA_DIR: data }, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(await system.ended).toBe(0);
  });

  it('writes through no link that is put in the way, whenever that happens', async () => {
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'of root', { mode: 0o600 });
    symlinkSync(victim, join(data, '.writable'));
    spawnSync('chown', ['-h', String(NOBODY), join(data, '.writable')]);
    const system = launch({ ...(await freePorts()), DATA_DIR: data });
    expect(await system.ended).toBe(1);
    expect(system.stderr()).toMatch(
      /\nringdown: the data folder \S+ cannot be written \(DATA_DIR\): [^\n]*EACCES[^\n]*\n$/,
    );
    expect(readFileSync(victim, 'utf8')).toBe('of root');
  });

  it('does not stop a process of another user that the folder names', () => {
    const other = spawn('sleep', ['60']);
    const { pid = 0 } = other;
    writeFileSync(
      join(data, 'running.json'),
      JSON.stringify({ pid, mark: processMark(pid), since: '', addresses: [] }),
    );
    chownSync(join(data, 'running.json'), NOBODY, NOBODY);
    const { status, stderr } = spawnSync(process.execPath, [stop], { env: { DATA_DIR: data }, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 1, stderr: `stop: process ${pid} belongs to another user\n` });
    other.kill();
  });

  it('does not start where files of root are in it', async () => {
    mkdirSync(join(data, 'nats'));
    const system = launch({ ...(await freePorts()), DATA_DIR: data });
    expect(await system.ended).toBe(1);
    expect(system.stderr()).toBe(
      `ringdown: ${data} belongs to user ${NOBODY}, but nats in it does not: give everything in it to one of them (chown -R)\n`,
    );
  });
});
