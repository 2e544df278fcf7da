/** The last steps of the schema (see `schema.ts`); further ones go to the end. */
export const NEWEST_STEPS: readonly string[] = [
  `
  -- How often the reading of a partition has begun at one place without an orderly end, and, where that made it read one record at
  -- a time, how often it has begun with each of those it did not come past: see careful-reading.ts.
  create table reading_attempts (
    partition integer primary key,
    epoch text collate "C" not null,
    sequence bigint not null,
    starts integer not null,
    tries jsonb not null default '{}'
  );
  `,
  `
  -- Times that are far ahead of their receipt are not believed any more; only such calls change.
  update calls set stale = true where began_at > now() + interval '1 day' or ended_at > now() + interval '1 day';
  `,
  `
  -- Whose connection each record came over; nothing where an older collector took it.
  alter table records add column remote_address text, add column certificate_subject text;
  `,
  `
  -- By what the stream is recognised: the message at that sequence, which stands before the digest, as an older program moves
  -- the sequence alone. And until when messages may have been read before, after the reading has started over.
  alter table partition_positions add column digest text collate "C", add column stored_at timestamptz,
    add column reread_until timestamptz;

  -- How many records were read of each start of a collector, to compare with what it has accepted.
  create table collector_progress (
    partition integer not null,
    collector text collate "C" not null,
    number bigint not null,
    records bigint not null,
    read_at timestamptz not null default now(),
    primary key (partition, collector)
  );

  -- When the bus came back without its newest messages, by the last of them that was read.
  create table shortened_streams (
    epoch text collate "C" not null,
    after_sequence bigint not null,
    digest text collate "C" not null,
    messages bigint not null,
    noticed_at timestamptz not null default now(),
    primary key (epoch, after_sequence, digest)
  );

  -- Calls that were expired by a clock that was ahead.
  create index calls_expired on calls (looked_at) where state = 'expired';
  `,
];
