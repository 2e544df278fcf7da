-- Filters of calls that operators keep under a name.
create table saved_searches (
  id uuid primary key default gen_random_uuid(),
  -- The user name of its operator.
  owner text not null,
  name text not null,
  shared boolean not null,
  -- As in the query of GET /api/calls: texts, and lists of texts.
  parameters jsonb not null,
  revision integer not null default 1,
  -- Milliseconds, as a page of a list ends at.
  created_at timestamptz(3) not null default now(),
  changed_at timestamptz(3) not null default now()
);
create index saved_searches_by_owner on saved_searches (owner);
create index saved_searches_by_change on saved_searches (changed_at desc, id);
