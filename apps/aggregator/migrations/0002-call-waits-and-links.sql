-- What a call in progress waits for, and since when by our clock; null for a call that has ended.
alter table calls add column waits_for text, add column waits_since timestamptz;
-- Changes that were made by the passing of time and that its records do not show.
alter table calls add column looked_at timestamptz, add column revisions integer not null default 0;
-- Ids that it may share with other calls.
alter table calls add column conversation_key text collate "C", add column conference_key text collate "C",
  add column correlation_key text collate "C";
-- Rows from before this step, until they are rebuilt from their records.
alter table calls add column stale boolean not null default true;
create index calls_that_wait on calls (waits_for, waits_since) where waits_for is not null;
create index calls_by_conversation on calls (conversation_key) where conversation_key is not null;
create index calls_by_conference on calls (conference_key) where conference_key is not null;
create index calls_by_correlation on calls (correlation_key) where correlation_key is not null;
create index calls_to_make_anew on calls (call_key) where stale;
