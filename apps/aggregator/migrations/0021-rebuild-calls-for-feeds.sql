-- Calls have the feeds, pools, path and links that their records contain: all calls are rebuilt.
update calls set stale = true where not stale;
