-- Failed SIP requests outside of calls, as senders report them: one row for each kind of failure in a report. A report that
-- arrives again is stored once.
create table sip_failures (
  report uuid not null,
  method text collate "C" not null,
  status text collate "C" not null,
  peer text collate "C" not null,
  -- The name of the front end in lower case.
  feed_key text collate "C" not null,
  feed text not null,
  -- When a collector received the report.
  at timestamptz not null,
  failures integer not null,
  primary key (report, method, status, peer)
);
create index sip_failures_at on sip_failures (at, feed_key);

-- The rejected bodies of the stream REJECTED, without their content: alert rules count them.
create table rejections (
  -- A digest of the message and its number: one that is read again is stored once.
  id bytea primary key,
  -- Of the front end that the body names, else of the sender.
  feed_key text collate "C" not null,
  code text collate "C" not null,
  at timestamptz not null
);
create index rejections_at on rejections (at, feed_key);
