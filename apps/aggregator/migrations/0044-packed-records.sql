-- The records of a call are packed into one value beside it, as far as there is room: see store/records/packed-records.ts (ADR 0112).
-- Records of before stay in rows of `records`, and so do those of a large call that there is no room for.
alter table calls add column packed_records bytea, add column record_rows boolean not null default true;
-- lz4 where the database supports it, as in 0007.
do $$
declare
  part regclass;
begin
  for part in select 'calls'::regclass union all select inhrelid from pg_inherits where inhparent = 'calls'::regclass loop
    execute format('alter table %s alter packed_records set compression lz4', part);
  end loop;
exception when feature_not_supported then
  raise notice 'this database packs rows in its usual way: %', sqlerrm;
end $$;

-- How the feed is read, under another name: an aggregator of before, which would not find the packed records of a call, stores
-- nothing any more. Each of its transactions compares the number of partitions first.
create table feed_division (
  one boolean primary key default true check (one),
  partitions integer not null
);
insert into feed_division (partitions) select partitions from feed_layout;
drop table feed_layout, feed_partitions;
