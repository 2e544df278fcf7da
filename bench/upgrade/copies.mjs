// A long history in the tables of an earlier version: copies of its calls with their records, under other Call-IDs.
import { Client } from 'pg';

/** Fills the tables up to this many calls. Returns `{ calls, bytes }`: the size of the whole database. */
export async function copyCalls(server, calls, log) {
  const database = new Client({ connectionString: server.url });
  await database.connect();
  try {
    await database.query('set synchronous_commit = off');
    await database.query(`create table sample as select call_key, call->>'callId' as call_id, stored_on from calls`);
    await database.query('alter table sample add primary key (call_key)');
    const { rows } = await database.query('select count(*)::integer as calls from sample');
    const sample = rows[0].calls;
    const names = await Promise.all(['calls', 'records'].map((name) => columnsOf(database, name)));
    const rounds = Math.ceil(calls / sample) - 1;
    for (let round = 1; round <= rounds; round++) {
      for (const statement of statementsOf(names, `-${round}`)) await database.query(statement);
      if (round % 10 === 0) log(`${((sample * (round + 1)) / 1e6).toFixed(1)} million calls …`);
    }
    await database.query('drop table sample');
    await database.query('vacuum analyze');
    const { rows: sizes } = await database.query('select pg_database_size(current_database()) as bytes');
    return { calls: sample * (rounds + 1), bytes: Number(sizes[0].bytes) };
  } finally {
    await database.end();
  }
}

async function columnsOf(database, name) {
  const { rows } = await database.query(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [name],
  );
  return rows;
}

/** The Call-ID is in the key of the call, and in the texts of the call and of its records. */
function statementsOf([ofCalls, ofRecords], suffix) {
  const copied = ({ name, type }) => {
    if (name === 'call_key') return `t.call_key || '${suffix}'`;
    if (!['call', 'content', 'xml'].includes(name)) return `t.${name}`;
    return `replace(t.${name}::text, s.call_id, s.call_id || '${suffix}')::${type}`;
  };
  const copy = (table, columns) =>
    `insert into ${table} (${columns.map(({ name }) => name).join(', ')}) select ${columns.map(copied).join(', ')}
     from sample s join ${table} t using (call_key, stored_on)`;
  return [
    `insert into call_places (call_key, stored_on) select call_key || '${suffix}', stored_on from sample`,
    copy('calls', ofCalls),
    copy('records', ofRecords),
  ];
}
