-- Calls are found by their media, whose summary now has loss, jitter and round trip: all calls are rebuilt.
update calls set stale = true;
