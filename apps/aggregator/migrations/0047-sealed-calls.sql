-- A call of which nothing more is expected is sealed with its records: see store/records/sealed-call.ts (ADR 0118). `call` is null then, and `call_bytes`
-- is how long it is. Calls of before stay as they are.
alter table calls alter column call drop not null, add column call_bytes integer;

-- How the feed is read, under another name, as in 0044: an aggregator of before cannot read a sealed call, and stores nothing any more.
create table feed_partitioning (
  one boolean primary key default true check (one),
  partitions integer not null
);
insert into feed_partitioning (partitions) select partitions from feed_division;
drop table feed_division;
