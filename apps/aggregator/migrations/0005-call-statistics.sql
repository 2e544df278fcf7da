-- Columns of the statistics: when a call ended (null while it is in progress), and a summary of its media (see media-facts.ts).
alter table calls add column lasted_until timestamptz, add column media jsonb not null default '[]';
create index calls_by_end on calls (lasted_until);
update calls set stale = true;
