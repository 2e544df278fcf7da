-- Calls are found by the times of their setup; those that are not rebuilt yet are rebuilt now.
alter table calls add column invited_at timestamptz, add column setup_seconds double precision,
  add column ring_seconds double precision, add column post_dial_seconds double precision;
update calls set stale = true where not stale;
