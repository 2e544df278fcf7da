-- For a silent feed, all records that it ever sent: more than an integer holds.
alter table alerts alter column calls type double precision;
