-- First start with an empty volume: the services get a role that owns its database and is not a superuser. The superuser
-- `postgres` has no password, so that it can connect only from inside the container.
\getenv password POSTGRES_PASSWORD
create role ringdown login password :'password';
create database ringdown owner ringdown;
alter role postgres password null;
