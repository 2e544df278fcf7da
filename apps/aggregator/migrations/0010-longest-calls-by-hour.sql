-- Finds the longest calls of some hours in the index alone: see whole-hours.ts. By hours, because days begin at another time in
-- each time zone. Includes began_at: without it the database does not recognise that the index has all that the query needs.
create index calls_longest_by_hour on calls (date_trunc('hour', began_at at time zone 'utc'), duration_seconds, call_key)
  include (began_at, stored_on) where duration_seconds >= 0;
