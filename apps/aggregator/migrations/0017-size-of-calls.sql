-- What the records of a call have together, so that a large call is not loaded for a record that it has no room for. Null until its next record.
alter table calls add column record_size integer, add column event_count integer;
