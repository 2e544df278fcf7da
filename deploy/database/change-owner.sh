#!/bin/bash
# For a volume that was made when the services' own role `ringdown` was the superuser: makes that role the superuser
# `postgres`, without a password, and gives all it had to a new role `ringdown`, which is none. Run it inside the container
# while no aggregator runs:
#   docker compose exec -T postgres bash /etc/ringdown/database/change-owner.sh
# Everything in one transaction but for the first and the last line; where it was done before, it says so.
set -euo pipefail
export PGOPTIONS='-c client_min_messages=warning'

run() { psql --no-psqlrc --quiet -v ON_ERROR_STOP=1 --dbname ringdown --username "$@"; }

# Of a try that was cut off after its end.
forget() { run postgres -c 'drop role if exists change_owner'; }

if [ "$(run ringdown -Atc "select current_setting('is_superuser')")" = off ]; then
  forget
  echo 'change-owner: the role ringdown is not a superuser; nothing to do'
  exit 0
fi
# No role can rename itself.
run ringdown -c 'drop role if exists change_owner' -c 'create role change_owner superuser login'
run change_owner --single-transaction <<'SQL'
alter role ringdown rename to postgres;
\getenv password POSTGRES_PASSWORD
create role ringdown login password :'password';
alter role postgres password null;
alter database ringdown owner to ringdown;
alter schema public owner to ringdown;
do $$
declare
  thing text;
begin
  for thing in
    select format('alter %s %s owner to ringdown',
      case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end, c.oid::regclass)
    from pg_class c
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')
      -- Sequences of columns go with their tables.
      and not exists (select from pg_depend where objid = c.oid and classid = 'pg_class'::regclass and deptype in ('a', 'i') and relkind = 'S')
    union all
    select format('alter routine %s owner to ringdown', oid::regprocedure)
    from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select format('alter type %s owner to ringdown', oid::regtype)
    from pg_type where typnamespace = 'public'::regnamespace and typtype in ('e', 'd')
  loop
    execute thing;
  end loop;
end $$;
SQL
forget
echo 'change-owner: the role ringdown owns its database and is not a superuser'
