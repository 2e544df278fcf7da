-- How often the reading of a partition has started at one position without an orderly end, and, where that made it read one
-- record at a time, how often it has started each of the records that it did not get past: see crash-loop-guard.ts.
create table reading_attempts (
  partition integer primary key,
  epoch text collate "C" not null,
  sequence bigint not null,
  starts integer not null,
  tries jsonb not null default '{}'
);
