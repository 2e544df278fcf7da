/**
 * Searches over 100,000 people at 200 per second: Ringdown over HTTP, and the same searches on OpenLDAP and on
 * PostgreSQL with pg_trgm, in the same run. Build first (`npm run build`), then `npm run bench:search`; with
 * `-- --write` the tables are written to docs/performance.md, `-- --people 20000` measures fewer.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DIRECTORY_SUFFIX, staff } from '@ringdown/testing/ldif';
import { SERVICE_DN, SERVICE_PASSWORD, startSlapd } from '@ringdown/testing/servers/slapd';
import { measuredOn, table, writeReport } from '../report.mjs';
import { memoryOfIndex, startOurs } from './ours.mjs';
import { searchedFromOutside } from './client.mjs';
import { startPostgresSearch } from './postgres.mjs';
import { searchQueries } from './queries.mjs';
import { slapdIndexes } from './slapd.mjs';

const SECONDS = 20;
const PER_SECOND = 200;
/** All people are read again as soon as a read has finished. */
const READING = { DIRECTORY_REFRESH_SECONDS: '1', DIRECTORY_FULL_REFRESH_SECONDS: '1' };

/** Measures everything; progress goes to standard error. Returns the figures, for use in other benchmarks. */
export async function benchSearch({ people: count = 100_000 } = {}) {
  const people = [...staff(count)].slice(1);
  const queries = searchQueries(people, SECONDS * PER_SECOND);
  log(`filling slapd with ${count.toLocaleString('en')} people …`);
  const slapd = await startSlapd({ entries: changedLongAgo(staff(count)), indexes: slapdIndexes });
  try {
    const env = {
      DIRECTORY_URL: slapd.url,
      DIRECTORY_STARTTLS: 'off',
      DIRECTORY_BASE_DN: DIRECTORY_SUFFIX,
      DIRECTORY_BIND_DN: SERVICE_DN,
      DIRECTORY_BIND_PASSWORD: SERVICE_PASSWORD,
    };
    log('measuring the index …');
    const memory = await memoryOfIndex(env);
    const rows = [
      ['Ringdown over HTTP', await measure('Ringdown', () => startOurs(env), queries)],
      [
        'while all are read again',
        await measure('Ringdown, which reads', () => startOurs({ ...env, ...READING }), queries),
      ],
      ['OpenLDAP slapd', await measure('slapd', () => ({ engine: './slapd.mjs', where: { url: slapd.url } }), queries)],
      ['PostgreSQL with pg_trgm', await measure('PostgreSQL', () => startPostgresSearch(people), queries)],
    ];
    return { count, memory, rows };
  } finally {
    await slapd.stop();
  }
}

/**
 * As in a directory that has been in use for a long time: people changed in its last minute are read in each refresh.
 */
function* changedLongAgo(entries) {
  let minutes = 0;
  for (const entry of entries) {
    const modified = new Date(Date.UTC(2026, 0) - minutes++ * 60_000).toISOString();
    yield { ...entry, modifyTimestamp: modified.replaceAll(/[-:T]|\.\d+/g, '') };
  }
}

async function measure(name, start, queries) {
  log(`searching with ${name} …`);
  const engine = await start();
  if (engine === undefined) return undefined;
  try {
    return await searchedFromOutside(engine, queries);
  } finally {
    await engine.stop?.();
  }
}

export function searchReport({ count, memory, rows }) {
  const cells = rows.map(([name, figures]) =>
    figures === undefined
      ? [name, 'not installed', '', '', '']
      : [name, ms(figures.p50), ms(figures.p99), ms(figures.late), figures.perSecond.toFixed(0)],
  );
  return `${count.toLocaleString('en')} people, ${PER_SECOND} searches a second for ${SECONDS} s after 10 s that do not count, 25 results at most; each
measured from the moment it was due, by a process that does nothing else; the time until it was sent, which is the client's own,
is in it. ${measuredOn()}

${table([['searches by', 'p50, ms', 'p99, ms', 'until sent, p99, ms', 'searches/s'], ...cells])}

The people take ${megabytes(memory.people)} and the index ${megabytes(memory.index)} (heap and external memory); it was built in
${(memory.buildMs / 1_000).toFixed(1)} s, a few milliseconds at a time.
`;
}

function ms(value) {
  return value.toFixed(value < 10 ? 2 : 0);
}

function megabytes(bytes) {
  return `${Math.round(bytes / 1e6)} MB`;
}

function log(line) {
  process.stderr.write(`${line}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { people: { type: 'string' }, write: { type: 'boolean' } } });
  const report = searchReport(await benchSearch({ people: Number(values.people ?? 100_000) }));
  console.log(report);
  if (values.write) writeReport('bench:search', report);
}
