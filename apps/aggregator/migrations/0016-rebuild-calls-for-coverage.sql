-- Calls are found by how many directions of their media were judged: all calls are rebuilt.
update calls set stale = true;
