-- Any part of a text is found by the three-letter pieces of it. In PostgreSQL the owner of a database may create this extension.
create extension if not exists pg_trgm;
-- What every operator may find, with tokens in place of users, and what only operators with the role `reveal` may find: see search-text.ts.
alter table calls add column shown_text text, add column identity_text text;
create index calls_by_text on calls using gin (shown_text gin_trgm_ops, identity_text gin_trgm_ops);
-- All calls are rebuilt, so that they have these texts.
update calls set stale = true where not stale;
