import { eventually } from '@ringdown/testing/eventually';
import {
  freePorts,
  launch,
  type LaunchedSystem,
  type Ports,
  running,
  SystemClient,
} from '@ringdown/testing/launched-system';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { programEnvironment } from '@ringdown/testing/program-environment';
import { programFile } from '@ringdown/testing/program-file';
import { Started } from '@ringdown/testing/started';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownRelease } from '../src/upgrade/release.js';
import { startXml } from './feed-examples.js';

const own = ownRelease();

describe('an upgrade that changes the form of the data', () => {
  const started = new Started();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-upgrade-'));
  const data = join(folder, 'data');
  const version = join(data, 'data-version.json');
  let ports: Ports;

  beforeAll(async () => {
    ports = await freePorts();
    await seedDatabase(join(data, 'database'));
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(env: Record<string, string> = {}): Promise<{ system: LaunchedSystem; client: SystemClient }> {
    const system = started.add(launch({ ...ports, DATA_DIR: data, UPGRADE_COPY: 'on', ...env }));
    await running(system);
    return { system, client: started.add(new SystemClient(data, ports)) };
  }

  function command(
    name: string,
    ...args: string[]
  ): { readonly out: string; readonly err: string; readonly code: number } {
    const env = { ...programEnvironment(), DATA_DIR: data };
    const { stdout, stderr, status } = spawnSync(process.execPath, [programFile('ringdown', name), ...args], {
      env,
      encoding: 'utf8',
    });
    return { out: stdout, err: stderr, code: status ?? -1 };
  }

  /** As if the version before this one had left the data. */
  function olderSchema(): void {
    writeFileSync(version, JSON.stringify({ ...JSON.parse(readFileSync(version, 'utf8')), schema: own.schema - 1 }));
  }

  async function post(client: SystemClient, callId: string): Promise<void> {
    const { status } = await fetch(`${client.collector}/Ringdown/RequestMessage`, {
      method: 'POST',
      headers: { 'content-type': 'text/xml' },
      body: startXml(callId),
    });
    expect(status).toBe(200);
    const token = await client.signIn('carol');
    await eventually(callId, async () => (await client.as(token, `/api/calls/${callId}`)).status === 200);
  }

  async function statusOf(client: SystemClient, callId: string): Promise<number> {
    return (await client.as(await client.signIn('carol'), `/api/calls/${callId}`)).status;
  }

  it('keeps a copy of the data first, says so, and goes on', async () => {
    const before = await start({ UPGRADE_COPY: 'off' });
    await post(before.client, 'call-before');
    await before.system.stop();
    olderSchema();
    const { system, client } = await start();
    expect(system.stderr()).toMatch(
      new RegExp(
        `ringdown: upgrading the data from ${RegExp.escape(own.version)} to \\S+: a copy is kept in ${RegExp.escape(data)}/upgrades/\\S+\n`,
      ),
    );
    expect(system.stderr()).toMatch(
      /ringdown: \d+(\.\d+)? MB in \d+ files copied in \d+\.\d s; way back: npm run downgrade\n/,
    );
    expect(await statusOf(client, 'call-before')).toBe(200);
    await post(client, 'call-after');
    expect(command('status').out).toMatch(
      /\n {2}Way back +Ringdown \S+, copy of \d{4}-\S+, \d+(\.\d+)? MB \(npm run downgrade\)\n/,
    );
    expect(command('downgrade')).toEqual({
      out: '',
      err: `downgrade: a system runs in ${data} (DATA_DIR): stop it first (npm stop)\n`,
      code: 1,
    });
    await system.stop();
  });

  it('is undone by a downgrade: the data are as they were, and this version waits for leave', async () => {
    const { out, code } = command('downgrade');
    expect(out).toMatch(
      new RegExp(`^the data of ${RegExp.escape(data)} are those of Ringdown ${RegExp.escape(own.version)} again: `),
    );
    expect(code).toBe(0);
    const held = launch({ ...ports, DATA_DIR: data });
    expect(await held.ended).toBe(2);
    expect(held.stderr()).toMatch(
      /was put back for Ringdown \S+, and \S+ would upgrade it: install \S+, or allow the upgrade again/,
    );
    expect(command('downgrade', '--allow-upgrade').code).toBe(0);
    const { system, client } = await start();
    expect(await statusOf(client, 'call-before')).toBe(200);
    expect(await statusOf(client, 'call-after')).toBe(404);
    await system.stop();
  });

  it('is not begun when the copy fails: the data are as they were', async () => {
    olderSchema();
    const before = readFileSync(version, 'utf8');
    rmSync(join(data, 'upgrades'), { recursive: true });
    writeFileSync(join(data, 'upgrades'), 'a file in the way');
    const system = launch({ ...ports, DATA_DIR: data, UPGRADE_COPY: 'on' });
    expect(await system.ended).toBe(1);
    expect(system.stderr()).toContain('the data cannot be copied before the upgrade, and are as they were: ');
    expect(readFileSync(version, 'utf8')).toBe(before);
    rmSync(join(data, 'upgrades'));
    expect(command('downgrade', '--check').err).toContain('there is no copy of an older version');
  });

  it('is not made of data that nothing changes', async () => {
    const first = await start();
    await first.system.stop();
    const copies = readdirSync(join(data, 'upgrades'));
    expect(copies).toHaveLength(1);
    const { system } = await start();
    expect(system.stderr()).not.toContain('upgrading');
    await system.stop();
    expect(readdirSync(join(data, 'upgrades'))).toEqual(copies);
  });
});
