-- Times far ahead of their receipt are no longer trusted; only calls with such times are rebuilt.
update calls set stale = true where began_at > now() + interval '1 day' or ended_at > now() + interval '1 day';
