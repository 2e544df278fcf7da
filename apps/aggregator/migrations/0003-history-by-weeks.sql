-- History is kept by the week in which a call was first stored: an old week goes as a whole, at once, and leaves no holes.
-- A call stays in its week, because its times may still change and clocks of front ends may be wrong by years.
alter table calls rename to calls_until_now;
alter table records rename to records_until_now;
alter table calls_until_now drop constraint calls_pkey;
alter table records_until_now drop constraint records_pkey;
drop index calls_newest_first, calls_in_progress, calls_by_front_end, calls_by_party, calls_that_wait,
  calls_by_conversation, calls_by_conference, calls_by_correlation, calls_to_make_anew;

-- The week of every call: the partitioned tables below cannot enforce that a call is stored only once.
create table call_places (
  call_key text collate "C" primary key,
  stored_on date not null
);
create index call_places_by_day on call_places using brin (stored_on);

create table calls (
  call_key text collate "C" not null,
  stored_on date not null,
  state text not null,
  verdict text not null,
  began_at timestamptz not null,
  ended_at timestamptz,
  -- -1 where it is not known: calls are sorted by it, and null would have no place in the order.
  duration_seconds double precision not null,
  version integer not null,
  front_ends text[] not null,
  -- Search terms of which a call may have several: see search-keys.ts.
  search_keys text[] not null,
  addresses inet[] not null,
  -- Not jsonb, which changes the order of the fields.
  call json not null,
  waits_for text,
  waits_since timestamptz,
  looked_at timestamptz,
  revisions integer not null,
  stale boolean not null,
  primary key (call_key, stored_on)
) partition by range (stored_on);

create table records (
  call_key text collate "C" not null,
  stored_on date not null,
  digest text collate "C" not null,
  id text not null,
  size integer not null,
  received_at timestamptz not null,
  sent_at timestamptz,
  kinds text[] not null,
  front_ends text[] not null,
  content json not null,
  xml text not null,
  primary key (call_key, stored_on, digest)
) partition by range (stored_on);

-- All weeks before this one in one piece, named like the last of them: see history.ts.
do $$
declare
  this_week date := date_trunc('week', now() at time zone 'utc');
  name text := to_char(this_week - 7, 'YYYYMMDD');
begin
  execute format('create table calls_w%s partition of calls for values from (minvalue) to (%L)', name, this_week);
  execute format('create table records_w%s partition of records for values from (minvalue) to (%L)', name, this_week);

  insert into call_places (call_key, stored_on)
  select call_key, least(coalesce(received_on, this_week), this_week - 1)
  from calls_until_now left join (
    select call_key, min(received_at at time zone 'utc')::date as received_on from records_until_now group by call_key
  ) as received using (call_key);
end $$;

insert into calls (call_key, stored_on, state, verdict, began_at, ended_at, duration_seconds, version, front_ends,
  search_keys, addresses, call, waits_for, waits_since, looked_at, revisions, stale)
select call_key, stored_on, state, verdict, began_at, ended_at,
  coalesce((call->'duration'->>'seconds')::double precision, -1), version, front_ends,
  array(select 'frontEnd:' || name from unnest(front_ends) as name)
    || array(select 'user:' || name from unnest(parties) as name)
    || array_remove(array['conversation:' || conversation_key, 'conference:' || conference_key,
         'correlation:' || correlation_key], null),
  '{}', call, waits_for, waits_since, looked_at, revisions, true
from calls_until_now join call_places using (call_key);

insert into records (call_key, stored_on, digest, id, size, received_at, sent_at, kinds, front_ends, content, xml)
select call_key, stored_on, digest, id, size, received_at, sent_at, kinds, front_ends, content, xml
from records_until_now join call_places using (call_key);

drop table calls_until_now, records_until_now;

create index calls_newest_first on calls (began_at, call_key);
create index calls_in_progress on calls (began_at desc, call_key desc)
  where state in ('invited', 'active', 'held');
create index calls_by_search_key on calls using gin (search_keys);
create index calls_longest_first on calls (duration_seconds, call_key);
create index calls_that_wait on calls (waits_for, waits_since) where waits_for is not null;
create index calls_to_make_anew on calls (call_key) where stale;
