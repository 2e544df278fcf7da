-- Calls are found by the speed of their slowest link, VPN, DSCP, drivers, category and media bypass: all calls are rebuilt.
alter table calls add column link_speed double precision;
update calls set stale = true where not stale;
