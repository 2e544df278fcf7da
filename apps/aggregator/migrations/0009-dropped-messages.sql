-- Messages that the bus dropped before they were read, by the position that the reader had reached.
create table dropped_messages (
  epoch text collate "C" not null,
  after_sequence bigint not null,
  messages bigint not null,
  noticed_at timestamptz not null default now(),
  primary key (epoch, after_sequence)
);
