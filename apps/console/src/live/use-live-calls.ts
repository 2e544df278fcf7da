import { useEffect, useState } from 'react';
import type { Api } from '../api/api.js';
import { serverClock } from '../api/server-clock.js';
import { followCalls, type LiveStatus } from './follow-calls.js';
import { LiveCallList, type LiveSnapshot } from './live-calls.js';

/** Milliseconds between two renderings: users do not read faster, and each takes a few milliseconds. */
const DRAW_EVERY = 100;

export interface LiveView {
  readonly status: LiveStatus;
  readonly snapshot: LiveSnapshot;
  /** Whether the snapshot is from the server; otherwise there was no answer yet. */
  readonly isKnown: boolean;
}

/** The current calls in progress, rendered with screen frames and not with each event of the stream. */
export function useLiveCalls(api: Api, paused: boolean): LiveView {
  const [calls] = useState(() => new LiveCallList());
  const [status, setStatus] = useState<LiveStatus>({ kind: 'connecting' });
  const [snapshot, setSnapshot] = useState<LiveSnapshot>(() => calls.commit(Date.now()));
  const [isKnown, setKnown] = useState(false);

  useEffect(() => {
    const ended = new AbortController();
    void followCalls({ api, calls, signal: ended.signal, onStatus: setStatus });
    return () => ended.abort();
  }, [api, calls]);

  useEffect(() => {
    // A view that is opened paused shows the calls of that moment.
    if (paused && isKnown) return undefined;
    let frame = 0;
    let drawn = -DRAW_EVERY;
    const draw = (at: number): void => {
      frame = requestAnimationFrame(draw);
      if (at - drawn < DRAW_EVERY) return;
      drawn = at;
      setSnapshot(calls.commit(Date.now()));
      setKnown(calls.isKnown);
    };
    frame = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame);
  }, [calls, paused, isKnown]);

  return { status, snapshot, isKnown };
}

/** Milliseconds since 1970 by the clock of the server, a new value each second. */
export function useSeconds(): number {
  const [now, setNow] = useState(() => serverClock.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(serverClock.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
