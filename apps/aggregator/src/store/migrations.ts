import type { Database, Transaction } from './database.js';

/** What turns an empty database into the one this program knows, step by step. Steps are added, never changed. */
export const MIGRATIONS: readonly string[] = [
  `
  -- One row a call: what it is filtered by beside the whole of it, made anew from its records whenever one comes.
  create table calls (
    call_key text collate "C" primary key,
    state text not null,
    verdict text not null,
    began_at timestamptz not null,
    ended_at timestamptz,
    version integer not null,
    front_ends text[] not null,
    parties text[] not null,
    call jsonb not null
  );
  create index calls_newest_first on calls (began_at desc, call_key desc);
  create index calls_in_progress on calls (began_at desc, call_key desc)
    where state in ('invited', 'active', 'held');
  create index calls_by_front_end on calls using gin (front_ends);
  create index calls_by_party on calls using gin (parties);

  -- The records as they came. The key keeps a copy of a record from being counted twice, whoever sent it again.
  create table records (
    call_key text collate "C" not null,
    digest text collate "C" not null,
    id text not null,
    size integer not null,
    received_at timestamptz not null,
    sent_at timestamptz,
    kinds text[] not null,
    front_ends text[] not null,
    content json not null,
    xml text not null,
    primary key (call_key, digest)
  );

  -- By partition, so that the owners of two partitions never wait for each other.
  create table front_ends (
    partition integer not null,
    name_key text collate "C" not null,
    name text not null,
    first_seen timestamptz not null,
    last_seen timestamptz not null,
    records bigint not null,
    duplicates bigint not null,
    primary key (partition, name_key)
  );

  -- How far each partition of the stream has been read; changes in one transaction with what was made of the records.
  create table partition_positions (
    partition integer primary key,
    epoch text not null,
    sequence bigint not null
  );
  `,
  `
  -- What a call that is going on waits for, and since when by our clock; nothing for one that is over.
  alter table calls add column waits_for text, add column waits_since timestamptz;
  -- What time has done to it, which its records do not tell.
  alter table calls add column looked_at timestamptz, add column revisions integer not null default 0;
  -- What it may have in common with other calls.
  alter table calls add column conversation_key text collate "C", add column conference_key text collate "C",
    add column correlation_key text collate "C";
  -- Rows from before this step, until they are made anew from their records.
  alter table calls add column stale boolean not null default true;
  create index calls_that_wait on calls (waits_for, waits_since) where waits_for is not null;
  create index calls_by_conversation on calls (conversation_key) where conversation_key is not null;
  create index calls_by_conference on calls (conference_key) where conference_key is not null;
  create index calls_by_correlation on calls (correlation_key) where correlation_key is not null;
  create index calls_to_make_anew on calls (call_key) where stale;
  `,
];

/** Any number; it is the same for all replicas, which start at the same time. */
const MIGRATION_LOCK = 7_464_646;

/** Brings the database up to date. Throws when a newer program has changed it in ways that are not known here. */
export async function migrate(database: Database, steps: readonly string[] = MIGRATIONS): Promise<void> {
  await database.write(async (transaction) => {
    await transaction.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const done = await appliedVersion(transaction);
    if (done > steps.length) {
      throw new Error(`the database has version ${done}, this program knows ${steps.length}: it is too old`);
    }
    for (const [index, step] of steps.entries()) {
      if (index < done) continue;
      await transaction.query(step);
      await transaction.query('insert into schema_versions (version) values ($1)', [index + 1]);
    }
  });
}

async function appliedVersion(transaction: Transaction): Promise<number> {
  await transaction.query(
    'create table if not exists schema_versions (version integer primary key, applied_at timestamptz not null default now())',
  );
  const { rows } = await transaction.query<{ version: number | null }>(
    'select max(version) as version from schema_versions',
  );
  return rows[0]?.version ?? 0;
}
