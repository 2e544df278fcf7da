/**
 * Pages from a long history. Its calls are copies of calls that were folded from records before, at other times: the
 * same users, addresses and verdicts in the same proportions, in the real tables, spread over weeks.
 */
import { Client } from 'pg';
import { inTransaction, partOfCallId } from './infix.mjs';

const WEEKS = 13;
const ASKED = 20;
/** Searches for a part of a text: enough for a 99th percentile. */
const ASKED_FOR_PARTS = 100;

/** Of the server, for its start: new tables are written without a log of changes, which would be as large as they are. */
export const FILL_SETTINGS = { wal_level: 'minimal', max_wal_senders: '0', max_wal_size: '8GB' };

/** Fills the tables with so many calls; reports its progress. */
export async function fillHistory(server, calls, log) {
  const database = new Client({ connectionString: server.url });
  await database.connect();
  try {
    await database.query(SAMPLE);
    const { rows } = await database.query('select count(*)::integer as calls from sample');
    const { rows: weeks } = await inTransaction(database, WEEKS_BEFORE, [WEEKS]);
    // The partition for everything before the history began occupies the range of the weeks that are created here.
    await database.query(`alter table calls detach partition ${weeks[0].oldest}`);
    const indexes = await indexesOf(database);
    const [began, cpu] = [performance.now(), server.cpuSeconds()];
    const waiting = weeks.map((week, number) => ({ ...week, number, sample: rows[0].calls, indexes }));
    for (const [number, week] of waiting.entries())
      week.calls = Math.floor((calls * (number + 1)) / weeks.length) - Math.floor((calls * number) / weeks.length);
    const workers = Array.from({ length: 2 }, () => fillWeeks(server, waiting, log));
    await Promise.all(workers);
    // What is attached is no change of a call: hours that were counted meanwhile lack these calls.
    await database.query('delete from counted_hours');
    const seconds = (performance.now() - began) / 1_000;
    const used = server.cpuSeconds() - cpu;
    log(
      `filled with ${Math.round(calls / seconds)} calls a second, ${Math.round(calls / used)} a second of processor time`,
    );
    const size = await database.query(SIZE);
    return { calls, gigabytes: Number(size.rows[0].bytes) / 1e9 };
  } finally {
    await database.end();
  }
}

/** Takes one week after the other until none waits. */
async function fillWeeks(server, waiting, log) {
  const database = new Client({ connectionString: server.url });
  await database.connect();
  try {
    await database.query("set synchronous_commit = off; set maintenance_work_mem = '512MB'");
    for (let week = waiting.shift(); week !== undefined; week = waiting.shift()) {
      await fillWeek(database, week);
      log(`${week.calls} calls of the week ${week.name} …`);
    }
  } finally {
    await database.end();
  }
}

/**
 * In one transaction with its creation, a table is written without a log of changes (with `wal_level = minimal`). Its
 * indexes are built after the rows, and its constraint stands before: attaching the table reads nothing.
 */
async function fillWeek(database, { name, first, next, number, calls, sample, indexes }) {
  const table = `calls_w${name}_made`;
  await database.query('begin');
  await database.query(`create table ${table} (like calls including defaults including compression,
    check (stored_on is not null and stored_on >= '${first}'::date and stored_on < '${next}'::date))`);
  // A nested loop keeps the order of the calls: only their times are sorted.
  await database.query('set local enable_hashjoin = off; set local enable_mergejoin = off');
  await database.query(FILL.replace('$TABLE', table), [calls, sample, first, number]);
  for (const create of indexes) await database.query(create(table));
  await database.query(`alter table calls attach partition ${table} for values from ('${first}') to ('${next}')`);
  await database.query('commit');
  await database.query(`vacuum analyze ${table}`);
}

/** Statements that give a table of a week the indexes of all calls. */
async function indexesOf(database) {
  const { rows } = await database.query(
    `select pg_get_indexdef(indexrelid) as index, pg_get_constraintdef(pg_constraint.oid) as constraint
     from pg_index left join pg_constraint on conindid = indexrelid and contype = 'p'
     where indrelid = 'calls'::regclass`,
  );
  return rows.map(({ index, constraint }) => (table) => {
    if (constraint !== null) return `alter table ${table} add ${constraint}`;
    return index.replace(/INDEX \S+ ON ONLY \S+/, `INDEX ON ${table}`);
  });
}

/** Streams last as long as their calls, whose times are others in each copy. */
const SAMPLE = `
  create table sample as select row_number() over () - 1 as number, * from calls where state = 'ended';
  update sample set media = (
    select jsonb_agg(stream || '{"startedAt": null, "endedAt": null}') from jsonb_array_elements(media) as stream
  ) where media <> '[]';
  create unique index on sample (number);
  analyze sample`;

const WEEKS_BEFORE = `
  select to_char(week, 'YYYYMMDD') as name, week::date::text as first, (week + interval '7 days')::date::text as next,
    (select inhrelid::regclass::text from pg_inherits where inhparent = 'calls'::regclass
      and (select pg_get_expr(relpartbound, oid) from pg_class where oid = inhrelid) like '%MINVALUE%') as oldest
  from generate_series(date_trunc('week', now() at time zone 'utc') - interval '7 days' * $1,
    date_trunc('week', now() at time zone 'utc') - interval '7 days', interval '7 days') as week`;

/**
 * A week of calls, in the order in which they are stored: the time of day follows a bell curve around noon, one in
 * fifty failed, and of those on one of ten trunks one in ten more.
 */
const FILL = `
  insert into $TABLE (call_key, stored_on, state, verdict, began_at, ended_at, duration_seconds, version, front_ends,
    search_keys, addresses, shown_text, identity_text, lasted_until, media, call, call_bytes, packed_records, record_rows, waits_for, waits_since,
    looked_at, revisions, stale, invited_at, setup_seconds, ring_seconds, post_dial_seconds, link_speed, worst_loss, worst_jitter, worst_round_trip, worst_mos)
  select md5(g || ' ' || $4::integer), (began at time zone 'utc')::date,
    case when failed then 'failed' else state end, verdict, began, began + lasts, duration_seconds, version, front_ends,
    search_keys || array['trunk:trunk' || g % 10, 'pool:pool' || g % 3, 'device:headset ' || g % 23]
      || case when failed then array['error:' || 480 + g % 9, 'endCode:' || 500 + g % 4] else '{}' end, addresses,
    md5(g || ' ' || $4::integer) || E'\n' || shown_text, identity_text, began + lasts, media,
    call, call_bytes, packed_records, record_rows, null, null, null, 0, false,
    began, setup_seconds, ring_seconds, post_dial_seconds, link_speed, worst_loss, worst_jitter, worst_round_trip, worst_mos
  from (
    select g, $3::date::timestamp at time zone 'utc' + interval '1 day' * (g % 7)
      + interval '1 second' * (86399 * (random() + random() + random()) / 3) as began
    from generate_series(1, $1::integer) as g order by began
  ) as times cross join lateral (select hashint4(g) % 50 = 0 or g % 100 = 7 as failed) as outcome join lateral (
    select *, interval '1 second' * duration_seconds as lasts from sample where number = (g::bigint * 7919) % $2::integer
  ) as sample on true`;

const SIZE = `select sum(pg_total_relation_size(inhrelid)) as bytes from pg_inherits where inhparent = 'calls'::regclass`;

/** Typical queries of operators, each time for another user. `days` ago. */
const QUESTIONS = {
  'the newest calls': () => 'limit=50',
  'one user': (n) => `limit=50&user=sip:user${(n * 37) % 5_000}@example.test`,
  'one user, bad calls': (n) => `limit=50&verdict=bad&user=sip:user${(n * 41) % 5_000}@example.test`,
  'bad calls of one day': (n) => `limit=50&verdict=bad&${day(7 + n * 3)}`,
  'one front end, failed': (n) => `limit=50&state=failed&frontEnd=fe${n % 4}.example.test`,
  'one small subnet': (n) => `limit=50&address=10.${n % 20}.${(n * 7) % 250}.0/24`,
  'one SIP status, the oldest': (n) => `limit=50&sort=oldest&errorCode=${480 + (n % 9)}`,
  'part of a Call-ID': (n) => `limit=50&q=${partOfCallId(n)}`,
  'part of a user': (n) => `limit=50&q=ser${(n * 37) % 5_000}@`,
  'part of an address': (n) => `limit=50&q=.${n % 20}.${(n * 7) % 250}.`,
  'part of nearly every call': (n) => `limit=50&q=${['example', 'test', 'user'][n % 3]}`,
  'two parts, one of them of nearly every call': (n) => `limit=50&q=example%20ser${(n * 41) % 5_000}@`,
  'part of no call': (n) => `limit=50&q=absent${n}`,
  'the longest of one day': (n) => `limit=50&sort=longest&${day(8 + n * 3)}`,
  'without one codec, not good': () => 'limit=50&not.codec=opus&not.verdict=good',
  'loss of 5 % or more': () => 'limit=50&minLoss=0.05',
  'a loss that no call has': () => 'limit=50&minLoss=0.9',
  'the highest loss of one day': (n) => `limit=50&sort=-loss&${day(8 + n * 3)}`,
  'the highest loss of all': () => 'limit=50&sort=-loss',
};

/** How many calls there are. */
const TOTALS = {
  'of one user': (n) => `user=sip:user${(n * 37) % 5_000}@example.test`,
  'of one day': (n) => day(7 + n * 3),
  'of all with a loss of 5 % or more': () => 'minLoss=0.05',
  'of all': () => '',
};

/** Percentiles and numbers of streams, of so many days. */
const STATISTICS = {
  'percentiles of loss, one day by the hour': () => `metrics?metric=loss&${days(8, 1)}`,
  'percentiles of loss, a week by front end': () =>
    `metrics?metric=loss&by=frontEnd&bucketSeconds=86400&${days(14, 7)}`,
  'streams of a week by codec': () => `streams?by=codec&bucketSeconds=86400&${days(14, 7)}`,
  'calls at a time, a week by the hour': () => `load?${days(14, 7)}`,
  'percentiles of MOS, 28 days': () => `metrics?metric=mos&bucketSeconds=86400&${days(35, 28)}`,
  'percentiles of loss, 91 days': () => `metrics?metric=loss&bucketSeconds=604800&${days(91, 91)}`,
};
const ASKED_FOR_STATISTICS = 5;

/**
 * Returns rows of `{ question, p50, p99, worst, cpu, calls, indexes }`, times in milliseconds, or with the `code` of the first
 * response that was rejected. `cpu` returns the processor time of the database so far, which depends less on what else runs.
 * `plans` reports which indexes the database used; without it there are no `indexes`.
 */
export async function requestPages(base, token, { plans, cpu, log }) {
  const readPage = (query) => request(base, token, `calls?${query}`);
  await readPage('limit=1');
  const rows = [];
  for (const [question, queryOf] of Object.entries(QUESTIONS)) {
    const before = cpu();
    const { times, calls, code } = await readPages(readPage, queryOf);
    const perPage = ((cpu() - before) / times.length) * 1_000;
    const indexes = code === undefined ? await plans?.indexesOf(() => readPage(queryOf(0))) : '';
    const row = { question, code, ...spread(times), cpu: perPage, calls, indexes };
    log(`${question}: ${code ?? ''} ${row.p50.toFixed(1)} ms (p50), ${row.p99.toFixed(1)} ms (p99)`);
    rows.push(row);
  }
  return rows;
}

/** The first pages of a question and those behind them, until one is rejected. `calls`: of the first pages, on average. */
async function readPages(readPage, queryOf) {
  const asked = queryOf(0).includes('q=') ? ASKED_FOR_PARTS : ASKED;
  const found = { times: [], calls: 0, code: undefined };
  const read = async (query) => {
    const { status, ms, body } = await readPage(query);
    found.times.push(ms);
    if (status !== 200) found.code = body.code;
    return body;
  };
  for (let n = 0; n < asked && found.code === undefined; n++) {
    const { items = [], next = null } = await read(queryOf(n));
    found.calls += items.length / asked;
    // The next page, requested with a cursor.
    if (next !== null) await read(`${queryOf(n)}&cursor=${next}`);
  }
  return found;
}

/** Returns rows of `{ question, p50, p99, worst, calls }`, in milliseconds. */
export async function requestTotals(base, token) {
  const readTotal = readerOf(base, token, 'statistics/total');
  const rows = [];
  for (const [question, queryOf] of Object.entries(TOTALS)) {
    const times = [];
    let calls = 0;
    for (let n = 0; n < ASKED; n++) {
      const { ms, body } = await readTotal(queryOf(n));
      times.push(ms);
      calls += body.calls;
    }
    rows.push({ question, ...spread(times), calls: calls / ASKED });
  }
  return rows;
}

/** Returns rows of `{ question, p50, worst }`, in milliseconds, or `{ question, code }` of one that was rejected. */
export async function requestStatistics(base, token) {
  const rows = [];
  for (const [question, queryOf] of Object.entries(STATISTICS)) {
    const times = [];
    let code;
    while (code === undefined && times.length < ASKED_FOR_STATISTICS) {
      const answer = await request(base, token, `statistics/${queryOf()}`);
      times.push(answer.ms);
      if (answer.status !== 200) code = answer.body.code;
    }
    rows.push({ question, code, ...spread(times) });
  }
  return rows;
}

function readerOf(base, token, path) {
  return async (query) => {
    const { status, ms, body } = await request(base, token, `${path}?${query}`);
    if (status !== 200) throw new Error(`${query}: ${status} ${JSON.stringify(body)}`);
    return { ms, body };
  };
}

export async function request(base, token, path) {
  const began = performance.now();
  const response = await fetch(`${base}/api/${path}`, { headers: { authorization: `Bearer ${token}` } });
  const body = await response.json();
  return { status: response.status, ms: performance.now() - began, body };
}

export function spread(times) {
  const sorted = times.toSorted((a, b) => a - b);
  return { p50: sorted[sorted.length >> 1], p99: sorted[Math.ceil(sorted.length * 0.99) - 1], worst: sorted.at(-1) };
}

function day(ago) {
  return days(ago, 1);
}

/** So many days, the first of them `ago`. */
export function days(ago, count) {
  const midnight = Math.floor(Date.now() / 86_400_000 - ago) * 86_400_000;
  return `from=${new Date(midnight).toISOString()}&to=${new Date(midnight + count * 86_400_000).toISOString()}`;
}
