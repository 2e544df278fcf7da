-- How many records each start of a collector has reported as acknowledged, so that they are known after its end, too.
create table collector_accepted (
  partition integer not null,
  collector text collate "C" not null,
  records bigint not null,
  reported_at timestamptz not null default now(),
  primary key (partition, collector)
);
