-- Streams of calls have their MOS: all calls are rebuilt.
update calls set stale = true where not stale;
