#!/bin/bash
# For a volume that was created when the services' role `ringdown` was the superuser: renames that role to
# `postgres`, without a password, and gives its objects to a new role `ringdown`, which is not a superuser. Run it in the container
# while no aggregator runs:
#   docker compose exec -T postgres bash /etc/ringdown/database/change-owner.sh
# All steps except the first and the last are one transaction; a second run reports that there is nothing to do.
set -euo pipefail
export PGOPTIONS='-c client_min_messages=warning'

run() { psql --no-psqlrc --quiet -v ON_ERROR_STOP=1 --dbname ringdown --username "$@"; }

# Left by a run that was interrupted at its end.
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
      -- Sequences of columns change with their tables.
      and not exists (select from pg_depend where objid = c.oid and classid = 'pg_class'::regclass and deptype in ('a', 'i') and relkind = 'S')
    union all
    select format('alter routine %s owner to ringdown', oid::regprocedure)
    from pg_proc where pronamespace = 'public'::regnamespace
      -- Those of extensions belong to the superuser.
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
    union all
    select format('alter type %s owner to ringdown', oid::regtype)
    from pg_type where typnamespace = 'public'::regnamespace and typtype in ('e', 'd')
      and not exists (select from pg_depend where objid = pg_type.oid and deptype = 'e')
  loop
    execute thing;
  end loop;
end $$;
SQL
forget
echo 'change-owner: the role ringdown owns its database and is not a superuser'
