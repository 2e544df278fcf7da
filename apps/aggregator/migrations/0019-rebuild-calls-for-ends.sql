-- Calls have the reason of their end: all calls are rebuilt.
update calls set stale = true where not stale;
