-- Calls have the times of their setup: all calls are rebuilt.
update calls set stale = true where not stale;
