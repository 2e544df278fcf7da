-- Into how many partitions the feed is divided (ADR 0060). One row; a batch is stored only if it was read with this number.
create table feed_partitions (
  one boolean primary key default true check (one),
  partitions integer not null
);
insert into feed_partitions (partitions) values (8);
