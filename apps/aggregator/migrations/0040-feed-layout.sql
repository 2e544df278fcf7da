-- How the feed is read (ADR 0086): into how many partitions it is divided, and whether its stream may have bundles. An
-- aggregator of before, which reads no bundles, stores a batch only while `feed_partitions` has its row.
create table feed_layout (
  one boolean primary key default true check (one),
  partitions integer not null,
  bundles boolean not null default false
);
insert into feed_layout (partitions) select partitions from feed_partitions;
