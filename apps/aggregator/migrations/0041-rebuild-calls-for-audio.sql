-- Calls are found by their caller and callee, servers, transfers and silent audio, and have where they failed; those that an impossible value had judged are judged again: all calls are rebuilt.
update calls set stale = true where not stale;
