-- Calls are found by how many directions of their media were judged: all calls are rebuilt. A new column with a default
-- changes no row; an update would rewrite them all, with their indexes, while nothing is stored.
alter table calls drop column stale;
alter table calls add column stale boolean not null default true;
create index calls_to_make_anew on calls (call_key) where stale;
