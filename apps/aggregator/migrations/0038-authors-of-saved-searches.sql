-- Texts of an author who does not see users are shown as they were written: a token made of them would tell whose it is.
-- Of the searches of before it is not known: they are shown with tokens, as before.
alter table saved_searches add column revealed boolean not null default true;
