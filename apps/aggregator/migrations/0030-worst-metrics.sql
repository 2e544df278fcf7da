-- Calls are found by the worst value of a metric among their streams: all calls are rebuilt.
alter table calls add column worst_loss double precision, add column worst_jitter double precision,
  add column worst_round_trip double precision, add column worst_mos double precision;
update calls set stale = true where not stale;
