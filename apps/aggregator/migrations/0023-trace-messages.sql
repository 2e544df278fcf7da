-- Messages of calls as senders captured them, in segments: the newest is written, the oldest is dropped as a whole when it is
-- too old or all together are too large (see traces/trace-segments.ts). A call may have messages in several segments.
create table trace_segments (
  number integer generated always as identity primary key,
  opened_at timestamptz not null default now(),
  -- Null for the segment that is written.
  closed_at timestamptz
);

create table trace_messages (
  segment integer not null,
  call_key text collate "C" not null,
  -- Of everything that identifies one capture of one packet: a batch that is sent again is stored once.
  digest bytea not null,
  -- By the clock of the capture agent, microseconds since 1970.
  at bigint not null,
  received_at timestamptz not null,
  call_id text not null,
  front_end text not null,
  point text not null,
  source inet not null,
  source_port integer not null,
  destination inet not null,
  destination_port integer not null,
  content text not null,
  payload bytea not null,
  primary key (call_key, digest, segment)
) partition by list (segment);
