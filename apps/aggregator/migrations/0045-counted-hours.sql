-- What statistics say of whole hours, counted behind the calls: see store/statistics/hours. A row is made before an hour is counted: from
-- then on, changes of its calls are noted in `changed_hours`, and it counts until then, or until it is counted again.
create table counted_hours (
  hour timestamptz primary key,
  -- Whether all who change calls note changes of this hour: those with a lower number of a transaction may not have seen the row.
  known boolean not null default false,
  unknown_to xid8,
  -- Who counts it, or did last, and since when: nobody else may write it.
  claim uuid,
  claimed_at timestamptz,
  -- Null: it is not counted.
  counted_at timestamptz,
  -- Of the sites by which it was counted.
  sites text,
  -- Calls that began in it; null if they are too many to keep.
  calls integer,
  -- The dimensions of its load; one that has too many values is missing.
  loads text[]
);
-- Times in which calls have changed: only added to by those who change calls, so nobody waits for another.
create table changed_hours (
  times tstzrange not null
);

-- Calls in the form in which suspects are found, by the hour in which they began.
create table hour_calls (
  -- The lowest bit of the hash of its key: one of `sample` calls is read.
  sample bigint not null,
  -- When it began, seconds since 1970.
  at bigint not null,
  call_key text collate "C" not null,
  problems integer not null,
  known integer not null,
  -- Numbers of `call_facts`, between commas.
  facts text not null,
  code integer,
  refused_by integer
);
create index hour_calls_by_sample on hour_calls (sample, at);
create table call_facts (
  id integer generated always as identity primary key,
  key text collate "C" not null unique,
  -- The last hour that has it, to a few days: what only left hours had is deleted.
  used_at timestamptz not null
);

-- The load of each minute of an hour.
create table hour_loads (
  hour timestamptz not null,
  -- Empty: of all calls together.
  dimension text collate "C" not null,
  value text collate "C",
  attempts integer not null,
  -- See packed-minutes.ts.
  minutes bytea not null
);
create index hour_loads_by_value on hour_loads (dimension, hour, value) include (attempts);

-- Calls that began more than an hour before a time and lasted until then are few, and are found without the others.
create index calls_that_last on calls (began_at, coalesce(lasted_until, 'infinity'::timestamptz))
  where lasted_until is null or lasted_until - began_at >= interval '1 hour';

-- In the database, so that also those who do not know of hours note what they change: replicas of before, during an upgrade. A restore drops
-- tables, and leaves the function of before.
create or replace function note_changed_hours() returns trigger language plpgsql as $$
declare
  changed tstzmultirange := '{}';
begin
  if tg_op <> 'DELETE' then
    changed := changed + tstzmultirange(
      tstzrange(new.began_at, greatest(new.began_at, coalesce(new.lasted_until, now())), '[]'));
  end if;
  if tg_op <> 'INSERT' then
    changed := changed + tstzmultirange(
      tstzrange(old.began_at, greatest(old.began_at, coalesce(old.lasted_until, now())), '[]'));
  end if;
  insert into changed_hours select each from unnest(changed) as each
  where exists (select from counted_hours where hour > lower(each) - interval '1 hour' and hour <= upper(each));
  return null;
end $$;
-- Most calls that change have just begun. Hours are counted two hours after their end, when nobody writes who began before that.
create trigger note_new_calls after insert on calls for each row
  when (new.began_at < now() - interval '1 hour') execute function note_changed_hours();
create trigger note_changed_calls after update of began_at, lasted_until, state, verdict, uploaded, front_ends, search_keys, addresses, media
  on calls for each row
  when (least(old.began_at, new.began_at) < now() - interval '1 hour') execute function note_changed_hours();
create trigger note_deleted_calls after delete on calls for each row
  when (old.began_at < now() - interval '1 hour') execute function note_changed_hours();
