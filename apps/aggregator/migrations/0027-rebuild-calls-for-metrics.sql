-- Streams of calls have more of their metrics, for statistics: all calls are rebuilt.
update calls set stale = true where not stale;
