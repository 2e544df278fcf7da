-- A call of which nothing more is expected is sealed with its records: see store/records/sealed-call.ts (ADR 0118). `call` is null then, and `call_bytes`
-- is how long it is. Calls of before stay as they are.
alter table calls alter column call drop not null, add column call_bytes integer;

-- How the feed is read, under another name, as in 0044: an aggregator of before cannot read a sealed call, and stores nothing any more.
alter table feed_division rename to feed_partitioning;
