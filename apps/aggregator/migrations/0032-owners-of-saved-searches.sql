-- Searches of people who were removed from the directory are deleted some days later.
alter table saved_searches add column owner_missing_since timestamptz;
