-- Rules of operators. Rules of the file ALERT_RULES are not stored.
create table alert_rules (
  id text collate "C" primary key,
  -- As in the interface, without id and revision.
  rule jsonb not null,
  -- Counts changes, for ETags.
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- One row for each rule and scope whose condition holds or that has an open alert: what an evaluation hands to the next one.
create table alert_states (
  rule_id text collate "C" not null,
  -- JSON of the scope, with sorted keys.
  scope_key text collate "C" not null,
  scope jsonb not null,
  -- Since when the condition holds (pending) or the alert fires.
  since timestamptz not null,
  -- Null while pending.
  alert_id text,
  primary key (rule_id, scope_key)
);

create table alerts (
  id text collate "C" primary key,
  rule_id text collate "C" not null,
  rule_name text not null,
  severity text not null,
  scope jsonb not null,
  value double precision,
  limit_value double precision,
  unit text not null,
  calls integer not null,
  summary text not null,
  link text not null,
  starts_at timestamptz not null,
  -- Null while it fires.
  ends_at timestamptz
);
create index alerts_newest on alerts (starts_at desc, id desc);
create index alerts_of_rule on alerts (rule_id, starts_at desc, id desc);
create index alerts_open on alerts (starts_at desc, id desc) where ends_at is null;

-- What has to be delivered, and was. A row is inserted in the transaction that changes the state of the alert; the deliverers of
-- all replicas share the due rows (for update skip locked).
create table alert_notices (
  -- The id of the notice, which a receiver knows a repeat by.
  id text collate "C" not null,
  receiver text collate "C" not null,
  -- See alerts/alert-notice.ts.
  body jsonb not null,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  -- Null when it is not tried again: it was delivered, or given up.
  next_attempt_at timestamptz default now(),
  delivered_at timestamptz,
  last_error text,
  primary key (id, receiver)
);
create index alert_notices_due on alert_notices (next_attempt_at) where next_attempt_at is not null;
-- In the order in which a receiver gets them.
create index alert_notices_of_receiver on alert_notices (receiver, created_at);
