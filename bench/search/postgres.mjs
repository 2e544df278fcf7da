// The same searches in PostgreSQL with an index of trigrams (pg_trgm) over one text of each person.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import { plain } from './queries.mjs';

const CONNECTIONS = 8;
const BATCH = 1_000;

/** Undefined where PostgreSQL or its extension is not installed. */
export async function startPostgresSearch(people) {
  const folder = findPrograms();
  if (folder === undefined) return undefined;
  const server = await startServer(folder);
  const pool = new Pool({
    host: '127.0.0.1',
    port: server.port,
    user: 'bench',
    database: 'postgres',
    max: CONNECTIONS,
  });
  // The pool resolves its end before the last connection has closed, and then the server closes it.
  pool.on('error', () => undefined);
  const stop = async () => {
    await pool.end();
    await server.stop();
  };
  try {
    await fill(pool, people);
    return { search: (query) => search(pool, query), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function search(pool, { words, digits }) {
  const wanted = digits === '' ? words.map((word) => `% ${plain(word)}%`) : [`%${digits}%`];
  const column = digits === '' ? 'words' : 'digits';
  const conditions = wanted.map((_, number) => `${column} LIKE $${number + 1}`).join(' AND ');
  const text = `SELECT * FROM people WHERE ${conditions} ORDER BY name LIMIT 26`;
  const { rows } = await pool.query({ name: `${column}${wanted.length}`, text, values: wanted });
  return { found: Math.min(rows.length, 25), more: rows.length > 25 };
}

async function fill(pool, people) {
  await pool.query('CREATE EXTENSION pg_trgm');
  await pool.query(
    'CREATE TABLE people (uid text, name text, mail text, title text, department text, words text, digits text)',
  );
  for (let at = 0; at < people.length; at += BATCH) {
    const rows = people.slice(at, at + BATCH).map(rowOf);
    const columns = rows[0].map((_, column) => rows.map((row) => row[column]));
    const unnest = columns.map((_, column) => `$${column + 1}::text[]`).join(', ');
    await pool.query(`INSERT INTO people SELECT * FROM unnest(${unnest})`, columns);
  }
  await pool.query('CREATE INDEX ON people USING gin (words gin_trgm_ops, digits gin_trgm_ops)');
  await pool.query('VACUUM ANALYZE people');
}

function rowOf({ uid, cn, mail, title, departmentNumber, telephoneNumber, mobile = '' }) {
  const words = plain(`${cn} ${mail} ${uid} ${title} ${departmentNumber}`).replaceAll(/[^\p{L}\p{N}]+/gu, ' ');
  const digits = `${telephoneNumber} ${mobile}`.replaceAll(/[^\d ]/g, '');
  return [uid, cn, mail, title, departmentNumber, ` ${words} `, digits];
}

function findPrograms() {
  const folders = [...(process.env.PATH ?? '').split(':'), ...globSync('/usr/lib/postgresql/*/bin')];
  const folder = folders.find(
    (candidate) => existsSync(join(candidate, 'initdb')) && existsSync(join(candidate, 'postgres')),
  );
  const hasTrigrams = globSync('/usr/share/{postgresql,pgsql}/**/extension/pg_trgm.control').length > 0;
  return hasTrigrams ? folder : undefined;
}

/** PostgreSQL refuses to run as root: then it runs as the user that its package has made. */
async function startServer(folder) {
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
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    fsync: 'off',
    shared_buffers: '256MB',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(folder, 'postgres'), ['-D', cluster, ...args], { ...options, stdio: 'ignore' });
  const ended = once(child, 'exit');
  await untilReady(port);
  return {
    port,
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

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
