-- First start with an empty volume: the services get a role that owns its database and is not a superuser. The superuser
-- `postgres` keeps no password, so that it comes in from inside the container alone.
\getenv password POSTGRES_PASSWORD
create role ringdown login password :'password';
create database ringdown owner ringdown;
alter role postgres password null;
