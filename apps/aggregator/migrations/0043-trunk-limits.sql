-- How many calls a trunk may have at the same time, as an admin has set it: see store/limits/trunk-limits.ts.
create table trunk_limits (
  -- As statistics count it.
  trunk text collate "C" primary key,
  calls integer not null,
  -- The user name of the admin.
  changed_by text not null,
  changed_at timestamptz not null default now()
);
