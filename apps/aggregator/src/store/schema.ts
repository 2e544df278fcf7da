import { NEWEST_STEPS } from './newest-steps.js';

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
  `
  -- History is kept by the week in which a call was first stored: an old week goes as a whole, at once, and leaves no holes.
  -- A call stays in its week, because its times may still change and clocks of front ends may be wrong by years.
  alter table calls rename to calls_until_now;
  alter table records rename to records_until_now;
  alter table calls_until_now drop constraint calls_pkey;
  alter table records_until_now drop constraint records_pkey;
  drop index calls_newest_first, calls_in_progress, calls_by_front_end, calls_by_party, calls_that_wait,
    calls_by_conversation, calls_by_conference, calls_by_correlation, calls_to_make_anew;

  -- The week of every call: the tables below cannot see to it that a call is there only once.
  create table call_places (
    call_key text collate "C" primary key,
    stored_on date not null
  );
  create index call_places_by_day on call_places using brin (stored_on);

  create table calls (
    call_key text collate "C" not null,
    stored_on date not null,
    state text not null,
    verdict text not null,
    began_at timestamptz not null,
    ended_at timestamptz,
    -- -1 where it is not known, so that it has its place when calls are sorted by it.
    duration_seconds double precision not null,
    version integer not null,
    front_ends text[] not null,
    -- Everything a call is searched by that it may have several of: see search-keys.ts.
    search_keys text[] not null,
    addresses inet[] not null,
    -- Not jsonb, which puts the fields into an order of its own.
    call json not null,
    waits_for text,
    waits_since timestamptz,
    looked_at timestamptz,
    revisions integer not null,
    stale boolean not null,
    primary key (call_key, stored_on)
  ) partition by range (stored_on);

  create table records (
    call_key text collate "C" not null,
    stored_on date not null,
    digest text collate "C" not null,
    id text not null,
    size integer not null,
    received_at timestamptz not null,
    sent_at timestamptz,
    kinds text[] not null,
    front_ends text[] not null,
    content json not null,
    xml text not null,
    primary key (call_key, stored_on, digest)
  ) partition by range (stored_on);

  -- All weeks before this one in one piece, named like the last of them: see history.ts.
  do $$
  declare
    this_week date := date_trunc('week', now() at time zone 'utc');
    name text := to_char(this_week - 7, 'YYYYMMDD');
  begin
    execute format('create table calls_w%s partition of calls for values from (minvalue) to (%L)', name, this_week);
    execute format('create table records_w%s partition of records for values from (minvalue) to (%L)', name, this_week);

    insert into call_places (call_key, stored_on)
    select call_key, least(coalesce(received_on, this_week), this_week - 1)
    from calls_until_now left join (
      select call_key, min(received_at at time zone 'utc')::date as received_on from records_until_now group by call_key
    ) as received using (call_key);
  end $$;

  insert into calls (call_key, stored_on, state, verdict, began_at, ended_at, duration_seconds, version, front_ends,
    search_keys, addresses, call, waits_for, waits_since, looked_at, revisions, stale)
  select call_key, stored_on, state, verdict, began_at, ended_at,
    coalesce((call->'duration'->>'seconds')::double precision, -1), version, front_ends,
    array(select 'frontEnd:' || name from unnest(front_ends) as name)
      || array(select 'user:' || name from unnest(parties) as name)
      || array_remove(array['conversation:' || conversation_key, 'conference:' || conference_key,
           'correlation:' || correlation_key], null),
    '{}', call, waits_for, waits_since, looked_at, revisions, true
  from calls_until_now join call_places using (call_key);

  insert into records (call_key, stored_on, digest, id, size, received_at, sent_at, kinds, front_ends, content, xml)
  select call_key, stored_on, digest, id, size, received_at, sent_at, kinds, front_ends, content, xml
  from records_until_now join call_places using (call_key);

  drop table calls_until_now, records_until_now;

  create index calls_newest_first on calls (began_at, call_key);
  create index calls_in_progress on calls (began_at desc, call_key desc)
    where state in ('invited', 'active', 'held');
  create index calls_by_search_key on calls using gin (search_keys);
  create index calls_longest_first on calls (duration_seconds, call_key);
  create index calls_that_wait on calls (waits_for, waits_since) where waits_for is not null;
  create index calls_to_make_anew on calls (call_key) where stale;
  `,
  `
  -- Of its calls and records: those that came when the call was taken for complete, and calls that nobody ended.
  alter table front_ends add column late bigint not null default 0, add column expired bigint not null default 0;

  -- What front ends did in each slot of some minutes, for a week: rates, and the times in which nothing came.
  create table front_end_activity (
    partition integer not null,
    name_key text collate "C" not null,
    slot timestamptz not null,
    first_at timestamptz,
    last_at timestamptz,
    records bigint not null,
    duplicates bigint not null,
    late bigint not null,
    expired bigint not null,
    primary key (name_key, slot, partition)
  );
  `,
  `
  -- What calls are counted by: until when one went on (nothing while it does), and its media in short (see media-facts.ts).
  alter table calls add column lasted_until timestamptz, add column media jsonb not null default '[]';
  create index calls_by_end on calls (lasted_until);
  update calls set stale = true;
  `,
  `
  -- Tells which seed the tokens are of that calls are found by.
  create table identity_seed (
    one boolean primary key default true check (one),
    fingerprint text not null
  );
  `,
  `
  -- Documents are most of what is written. This packs them in a fraction of the time that the usual way takes, for a
  -- little more space, where the database can; rows that are there stay as they are.
  do $$
  declare
    part regclass;
  begin
    for part in select 'calls'::regclass union all select inhrelid from pg_inherits where inhparent = 'calls'::regclass loop
      execute format('alter table %s alter call set compression lz4, alter media set compression lz4', part);
    end loop;
    for part in select 'records'::regclass union all select inhrelid from pg_inherits where inhparent = 'records'::regclass loop
      execute format('alter table %s alter content set compression lz4, alter xml set compression lz4', part);
    end loop;
  exception when feature_not_supported then
    raise notice 'this database packs rows in its usual way: %', sqlerrm;
  end $$;
  `,
  `
  -- Calls are found by their media, and these tell how much of them was lost and how late they came.
  update calls set stale = true;
  `,
  `
  -- What the bus dropped before anybody read it, by where reading had come to.
  create table dropped_messages (
    epoch text collate "C" not null,
    after_sequence bigint not null,
    messages bigint not null,
    noticed_at timestamptz not null default now(),
    primary key (epoch, after_sequence)
  );
  `,
  `
  -- The longest calls of some hours, out of the index alone: see whole-hours.ts. Days begin at other times elsewhere, hours hardly.
  -- With began_at, without which the database does not see that everything it needs is here.
  create index calls_longest_by_hour on calls (date_trunc('hour', began_at at time zone 'utc'), duration_seconds, call_key)
    include (began_at, stored_on) where duration_seconds >= 0;
  `,
  ...NEWEST_STEPS,
];
