-- Whose connection each record arrived on; null for records from older collectors.
alter table records add column remote_address text, add column certificate_subject text;
