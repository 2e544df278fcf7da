-- Statistics with a filter are read from what is kept of whole hours, too: see store/statistics/hours. Hours that were counted before lack
-- this, and are counted again.
alter table hour_loads
  -- Of a whole hour, without its single minutes: see packed-summary.ts.
  add column summary bytea;
alter table hour_calls
  -- By what calls are filtered, with the names of their columns in `calls`.
  add column state text,
  add column verdict text,
  add column began_at timestamptz,
  add column lasted_until timestamptz,
  add column invited_at timestamptz,
  add column worst_mos double precision,
  add column worst_loss double precision,
  add column worst_jitter double precision,
  add column worst_round_trip double precision,
  add column duration_seconds double precision,
  add column ring_seconds double precision,
  add column setup_seconds double precision,
  add column post_dial_seconds double precision,
  add column link_speed double precision,
  -- What it adds to the load: see packed-calls.ts.
  add column load bytea;
