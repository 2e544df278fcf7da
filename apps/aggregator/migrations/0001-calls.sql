-- One row per call: the whole of it as JSON, and the columns that it is filtered by; rebuilt from its records whenever a record arrives.
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

-- The records as they were received. The key prevents a copy of a record from being counted twice, whichever front end sent it again.
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

-- How far each partition of the stream has been read; changes in one transaction with the calls of those records.
create table partition_positions (
  partition integer primary key,
  epoch text not null,
  sequence bigint not null
);
