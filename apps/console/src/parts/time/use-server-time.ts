import { useEffect, useState } from 'react';
import { serverClock } from '../../api/server-clock.js';

/** The time of the server, each second anew while `isRunning`. */
export function useServerTime(isRunning: boolean): number {
  const [now, setNow] = useState(() => serverClock.now());
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(serverClock.now()), 1_000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}
