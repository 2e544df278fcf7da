-- Statistics and alerts leave out the calls of uploaded captures. Those that were uploaded before keep the names of their front ends, and count.
alter table calls add column uploaded boolean not null default false;
