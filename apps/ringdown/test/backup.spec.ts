import { jest } from '@jest/globals';
import { busUsers } from '@ringdown/embedded/bus';
import { eventually } from '@ringdown/testing/eventually';
import { FeedLoad } from '@ringdown/testing/feed-load';
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
import { processesIn } from '@ringdown/testing/running-processes';
import { Started } from '@ringdown/testing/started';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startXml } from './feed-examples.js';

jest.setTimeout(400_000);

const AT_ONCE = 20;

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

describe('npm run backup and npm run restore', () => {
  const started = new Started();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-backup-'));
  const data = join(folder, 'data');
  const backup = join(folder, 'backup');
  let ports: Ports;
  let system: LaunchedSystem;
  let client: SystemClient;
  let load: FeedLoad;
  let token: string;
  let acknowledged: readonly string[];

  beforeAll(async () => {
    ports = await freePorts();
    await seedDatabase(join(data, 'database'));
    ({ system, client } = await start(data));
    token = await client.signIn('carol');
    await groupsOf(client, 'POST');
    load = started.add(
      new FeedLoad({ bases: [client.collector], senders: 2, record: ({ callId }) => startXml(callId) }),
    );
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(dataDir: string): Promise<{ readonly system: LaunchedSystem; readonly client: SystemClient }> {
    const launched = started.add(launch({ ...ports, DATA_DIR: dataDir }));
    await running(launched);
    return { system: launched, client: started.add(new SystemClient(dataDir, ports)) };
  }

  function command(name: 'backup' | 'restore', dataDir: string, ...args: string[]): ChildProcess {
    const program = programFile('ringdown', name);
    return spawn(process.execPath, [program, ...args], {
      env: { ...programEnvironment(), HOME: process.env['HOME'], DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async function run(...args: Parameters<typeof command>): Promise<Ended> {
    const child = command(...args);
    if (child.stdout === null || child.stderr === null) throw new Error('the command has no output');
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { out, err, code };
  }

  /** Contacts that carol has made herself: a group with its name. */
  async function groupsOf(of: SystemClient, method: 'GET' | 'POST'): Promise<string> {
    const body = JSON.stringify({ culture: 'en', endpointId: 'backup', userAgent: 'test' });
    const headers = { 'content-type': 'application/json' };
    const made = await of.as(token, '/uc/v1/applications', { method: 'POST', headers, body });
    const [, href = ''] = /"myGroups":{"href":"([^"]+)"/.exec(made.text) ?? [];
    const answer =
      method === 'GET'
        ? await of.as(token, href)
        : await of.as(token, href, { method, headers, body: JSON.stringify({ displayName: 'Kept colleagues' }) });
    expect([answer.status, answer.text]).toEqual([method === 'GET' ? 200 : 204, expect.any(String)]);
    return answer.text;
  }

  /** How many records each call has, from as many requests at a time as a client may make. */
  async function versionsOf(of: SystemClient, callIds: readonly string[]): Promise<readonly number[]> {
    const versionOf = async (callId: string): Promise<number> => {
      const call = await eventually(callId, async () => {
        const answer = await of.as(token, `/api/calls/${callId}`);
        return answer.status === 200 && answer.text;
      });
      return JSON.parse(call).version;
    };
    const versions: number[] = [];
    for (let at = 0; at < callIds.length; at += AT_ONCE) {
      versions.push(...(await Promise.all(callIds.slice(at, at + AT_ONCE).map(versionOf))));
    }
    return versions;
  }

  it('copies the system while records are accepted', async () => {
    await load.untilAcknowledged(100);
    acknowledged = [...load.acknowledged];
    const { code, out, err } = await run('backup', data, backup);
    expect([code, err]).toEqual([0, '']);
    // All services have run: each stream that may be copied is there.
    const { backup: ofFeed, 'backup-people': ofPeople } = busUsers;
    const streams = { ...ofFeed.streams, ...ofPeople.streams };
    const copied = Object.entries({ ...ofFeed.buckets, ...ofPeople.buckets }).filter(([, right]) => right === 'copy');
    const { streams: heads }: { streams: { config: { name: string } }[] } = JSON.parse(
      readFileSync(join(backup, 'manifest.json'), 'utf8'),
    );
    const names = [...Object.keys(streams), ...copied.map(([name]) => `KV_${name}`)];
    expect(heads.map(({ config }) => config.name).toSorted()).toEqual(names.toSorted());
    expect(out).toMatch(/ calls with their records\n.*streams\n.*files\nBackup complete: /s);
    await load.untilAcknowledged(20);
    await load.stop();
    expect(load.unknown.size).toBe(0);
  });

  it('does not restore over the running system, nor over data without --replace', async () => {
    expect(await run('restore', data, backup, '--replace')).toMatchObject({
      code: 1,
      err: `restore: a system runs in ${data} (DATA_DIR): stop it first (npm stop)\n`,
    });
    await system.stop();
    expect(await run('restore', data, backup)).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^restore: nothing was restored, because \S+ \(DATA_DIR\) is not empty: .*database.*--replace deletes its data\n$/,
      ),
    });
  });

  it.each([
    ['starts its bus', 'nats/jetstream'],
    ['makes its database', 'database/postgresql-18.making/base'],
  ])('leaves the old system when the restore is killed while it %s', async (_, made) => {
    const child = command('restore', data, backup, '--replace');
    await eventually(made, () => existsSync(join(data, 'restoring', made)));
    child.kill('SIGKILL');
    await once(child, 'exit');
    ({ system, client } = await start(data));
    expect(existsSync(join(data, 'restoring'))).toBe(false);
    expect(processesIn(join(data, 'restoring'))).toEqual([]);
    const all = [...load.acknowledged];
    expect(await versionsOf(client, all)).toEqual(all.map(() => 1));
    await system.stop();
  });

  it('copies the stopped system, too, and starts nothing that stays', async () => {
    const { code, err } = await run('backup', data, join(folder, 'stopped'));
    expect([code, err]).toEqual([0, '']);
    expect(processesIn(data)).toEqual([]);
    expect(readdirSync(data)).not.toContain('running.json');
  });

  it('restores people, tokens, contacts and calls to a new folder, and the feed goes on', async () => {
    const other = join(folder, 'other');
    const restore = await run('restore', other, backup);
    expect([restore.code, restore.err]).toEqual([0, '']);
    expect(processesIn(other)).toEqual([]);
    const { system: restored, client: again } = await start(other);
    // Of before the backup.
    expect(await groupsOf(again, 'GET')).toContain('Kept colleagues');
    expect(await again.signIn('alice')).toEqual(expect.any(String));
    expect(await versionsOf(again, acknowledged)).toEqual(acknowledged.map(() => 1));
    expect((await again.post(startXml('after-the-restore'))).status).toBe(200);
    expect(await versionsOf(again, ['after-the-restore'])).toEqual([1]);
    await restored.stop();
  });

  it('replaces the data when it is told to', async () => {
    expect(await run('restore', data, backup, '--replace')).toMatchObject({ code: 0, err: '' });
    ({ system, client } = await start(data));
    expect(await versionsOf(client, acknowledged.slice(0, 5))).toEqual([1, 1, 1, 1, 1]);
    await system.stop();
  });

  it('has nothing to copy in a folder without data', async () => {
    const nowhere = join(folder, 'nowhere');
    expect(await run('backup', nowhere, join(folder, 'nothing'))).toEqual({
      code: 1,
      out: '',
      err: `backup: ${nowhere} (DATA_DIR) has no data to copy: nats and database missing\n`,
    });
    expect(existsSync(nowhere)).toBe(false);
  });
});
