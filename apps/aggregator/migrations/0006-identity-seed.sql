-- Identifies the seed of the tokens by which calls with hidden users are found.
create table identity_seed (
  one boolean primary key default true check (one),
  fingerprint text not null
);
