-- Quality of calls has the version whose thresholds apply: all calls are rebuilt.
update calls set stale = true where not stale;
