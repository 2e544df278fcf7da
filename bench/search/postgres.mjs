// The same searches in PostgreSQL with a trigram index (pg_trgm) over one text per person.
import { globSync } from 'node:fs';
import { Pool } from 'pg';
import { findPostgres, startPostgresServer } from '../postgres-server.mjs';
import { plain } from './queries.mjs';

const CONNECTIONS = 8;
const BATCH = 1_000;

/** Undefined when PostgreSQL or its extension is not installed. */
export async function startPostgresSearch(people) {
  const folder = hasTrigrams() ? findPostgres() : undefined;
  if (folder === undefined) return undefined;
  const server = await startPostgresServer(folder, { fsync: 'off' });
  try {
    const pool = openPool(server.port);
    await fill(pool, people);
    await pool.end();
    return { engine: './postgres.mjs', where: { port: server.port }, stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

export async function connect({ port }) {
  const pool = openPool(port);
  return { search: (query) => search(pool, query), close: () => pool.end() };
}

function openPool(port) {
  const pool = new Pool({ host: '127.0.0.1', port, user: 'bench', database: 'postgres', max: CONNECTIONS });
  // The pool's end resolves before the last connection has closed, which the server then closes.
  pool.on('error', () => undefined);
  return pool;
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

function hasTrigrams() {
  return globSync('/usr/share/{postgresql,pgsql}/**/extension/pg_trgm.control').length > 0;
}
