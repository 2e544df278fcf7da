-- Calls are found by their caller and callee, servers, transfers and silent audio, and have where they failed; those that an impossible value had judged are judged again: all calls are rebuilt. A new
-- column with a default changes no row, and has no statistics of before, by which the database would sort all calls for each few that are rebuilt.
alter table calls drop column stale;
alter table calls add column stale boolean not null default true;
create index calls_to_make_anew on calls (call_key) where stale;
