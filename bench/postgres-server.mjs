// A PostgreSQL server from the programs installed on the machine, in a temporary folder.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@ringdown/embedded';
import { Client } from 'pg';
import { treeSeconds } from './process-tree.mjs';

/** The folder of PostgreSQL's programs; undefined where they are not installed. */
export function findPostgres() {
  const folders = [...(process.env.PATH ?? '').split(':'), ...globSync('/usr/lib/postgresql/*/bin')];
  return folders.find((candidate) => existsSync(join(candidate, 'initdb')) && existsSync(join(candidate, 'postgres')));
}

/** PostgreSQL does not run as root: then it runs as the user that its package has created. */
export async function startPostgresServer(folder, settings = {}) {
  const data = mkdtempSync(join(tmpdir(), 'ringdown-bench-pg-'));
  const port = await freePort();
  const owner = process.getuid() === 0 ? userOf('postgres') : {};
  const cluster = join(data, 'cluster');
  mkdirSync(cluster, { mode: 0o700 });
  if (owner.uid !== undefined) for (const path of [data, cluster]) chownSync(path, owner.uid, owner.gid);
  const options = { ...owner, cwd: data, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' };
  const made = spawnSync(
    join(folder, 'initdb'),
    ['-D', cluster, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    options,
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const all = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    shared_buffers: '256MB',
    ...settings,
  };
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(folder, 'postgres'), ['-D', cluster, ...args], { ...options, stdio: 'ignore' });
  const ended = once(child, 'exit');
  await untilReady(port);
  return {
    port,
    pid: child.pid,
    /** Written to with the setting `logging_collector`. */
    logFolder: join(cluster, 'log'),
    url: `postgres://bench@127.0.0.1:${port}/postgres`,
    /** Processor time of all its processes, including ended ones: some are started for a single query. */
    cpuSeconds: () => treeSeconds(child.pid),
    stop: async () => {
      child.kill('SIGINT');
      await ended;
      rmSync(data, { recursive: true, force: true });
    },
  };
}

function userOf(name) {
  const [uid, gid] = ['-u', '-g'].map((which) => Number(spawnSync('id', [which, name], { encoding: 'utf8' }).stdout));
  return { uid, gid };
}

async function untilReady(port) {
  for (let tries = 0; ; tries++) {
    const client = new Client({ host: '127.0.0.1', port, user: 'bench', database: 'postgres' });
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (tries === 200) throw error;
      await sleep(100);
    }
  }
}
