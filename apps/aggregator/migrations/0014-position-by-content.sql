-- What the stream is recognised by: the digest of the message at that sequence. The digest begins with the sequence, because an
-- older program changes the sequence alone. And until when messages may have been read before, after reading has started over.
alter table partition_positions add column digest text collate "C", add column stored_at timestamptz,
  add column reread_until timestamptz;

-- How many records of each start of a collector were read, to compare with the number that it accepted.
create table collector_progress (
  partition integer not null,
  collector text collate "C" not null,
  number bigint not null,
  records bigint not null,
  read_at timestamptz not null default now(),
  primary key (partition, collector)
);

-- When the bus came back without its newest messages, by the last of those messages that was read.
create table shortened_streams (
  epoch text collate "C" not null,
  after_sequence bigint not null,
  digest text collate "C" not null,
  messages bigint not null,
  noticed_at timestamptz not null default now(),
  primary key (epoch, after_sequence, digest)
);

-- Finds calls that were expired by a clock that was ahead.
create index calls_expired on calls (looked_at) where state = 'expired';
