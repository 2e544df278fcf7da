-- pg_trgm ignores everything but letters and digits: as a letter, punctuation is part of the pieces by which texts are found (see search-words.ts).
drop index calls_by_text;
create index calls_by_text on calls using gin (
  translate(shown_text, '.-@:_/!"#$%&''()*+,;<=>?[\]^`{|}~', 'zxqjwyvvvvvvvvvvvvvvvvvvvvvvvvvv') gin_trgm_ops,
  translate(identity_text, '.-@:_/!"#$%&''()*+,;<=>?[\]^`{|}~', 'zxqjwyvvvvvvvvvvvvvvvvvvvvvvvvvv') gin_trgm_ops
);
-- Calls that are known only by quality reports are found by the path of their media too: they are rebuilt.
update calls set stale = true where not stale and json_array_length(call -> 'streams') = 0;
