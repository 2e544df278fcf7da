-- Records that arrived after their call was considered complete, and calls that no record ended.
alter table front_ends add column late bigint not null default 0, add column expired bigint not null default 0;

-- Activity of front ends in slots of some minutes, kept for a week: rates, and the times without records.
create table front_end_activity (
  partition integer not null,
  name_key text collate "C" not null,
  slot timestamptz not null,
  first_at timestamptz,
  last_at timestamptz,
  records bigint not null,
  duplicates bigint not null,
  late bigint not null,
  expired bigint not null,
  primary key (name_key, slot, partition)
);
