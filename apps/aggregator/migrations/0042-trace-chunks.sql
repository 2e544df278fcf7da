-- Messages of one call that arrived together, compressed in one row: see traces/packed-messages.ts. Rows of `trace_messages` of before
-- stay readable until their segments are dropped. Both have the segments of `trace_segments` as partitions.
create table trace_chunks (
  segment integer not null,
  call_key text collate "C" not null,
  -- Of the digests of its messages: a batch that is sent again is stored once.
  digest bytea not null,
  -- The earliest one, microseconds since 1970.
  first_at bigint not null,
  messages integer not null,
  -- Bytes of their payloads.
  size integer not null,
  packed bytea not null,
  primary key (call_key, digest, segment)
) partition by list (segment);
alter table trace_chunks alter column packed set storage external;
