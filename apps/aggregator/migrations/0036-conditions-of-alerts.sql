-- What the summary of an alert is about, for clients with their own words. Null for alerts from before.
alter table alerts add column condition jsonb;
