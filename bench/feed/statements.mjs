// What PostgreSQL does for a record, by statement, as pg_stat_statements counts it.

/** Of the server, for its start. */
export const STATEMENT_SETTINGS = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_planning': 'on',
  track_wal_io_timing: 'on',
};

const READ = `
  select left(regexp_replace(query, '\\s+', ' ', 'g'), 90) as query, calls::float8, rows::float8, total_exec_time as executing,
    total_plan_time as planning, wal_bytes::float8 as wal
  from pg_stat_statements where query not like '%pg_stat%' order by total_exec_time + total_plan_time desc`;

export async function resetStatements(database) {
  await database.query('create extension if not exists pg_stat_statements');
  await database.query('select pg_stat_statements_reset()');
}

/** Rows of `{ query, calls, rows, executing, planning, wal }` for a record, times in microseconds, the most expensive first. */
export async function statementsPerRecord(database, records) {
  const { rows } = await database.query(READ);
  return rows.map(({ query, calls, rows: found, executing, planning, wal }) => ({
    query,
    calls: calls / records,
    rows: found / records,
    executing: (executing / records) * 1_000,
    planning: (planning / records) * 1_000,
    wal: wal / records,
  }));
}
