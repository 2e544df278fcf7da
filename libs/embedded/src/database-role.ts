/** The role of the services: the owner of everything in the database, but not a superuser. */
export const DATABASE_ROLE = 'ringdown';

/**
 * Creates the role and makes it the owner of what an older version has created as superuser: run by the superuser at
 * each start. Sequences of columns change owner with their tables.
 */
export const MAKE_DATABASE_ROLE = `
do $$
declare
  thing text;
begin
  if not exists (select from pg_roles where rolname = '${DATABASE_ROLE}') then
    create role ${DATABASE_ROLE} login;
    execute format('alter database %I owner to ${DATABASE_ROLE}', current_database());
    alter schema public owner to ${DATABASE_ROLE};
  end if;
  for thing in
    select format('alter %s %s owner to ${DATABASE_ROLE}',
      case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end, c.oid::regclass)
    from pg_class c
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')
      and relowner <> '${DATABASE_ROLE}'::regrole
      and not exists (select from pg_depend where objid = c.oid and classid = 'pg_class'::regclass and deptype in ('a', 'i') and relkind = 'S')
    union all
    select format('alter routine %s owner to ${DATABASE_ROLE}', oid::regprocedure)
    from pg_proc
    where pronamespace = 'public'::regnamespace and proowner <> '${DATABASE_ROLE}'::regrole
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
    union all
    select format('alter type %s owner to ${DATABASE_ROLE}', oid::regtype)
    from pg_type
    where typnamespace = 'public'::regnamespace and typtype in ('e', 'd') and typowner <> '${DATABASE_ROLE}'::regrole
      and not exists (select from pg_depend where objid = pg_type.oid and deptype = 'e')
  loop
    execute thing;
  end loop;
end $$`;

/** After this, no statement has more rights; a statement that names the superuser could get them back. */
export const WORK_AS_DATABASE_ROLE = `set session authorization ${DATABASE_ROLE}`;
