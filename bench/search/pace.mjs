// Searches at a steady pace, as caused by people who do not wait for each other.
import { setTimeout as sleep } from 'node:timers/promises';

const PER_SECOND = 200;
/** Searches at the same pace before the measured ones: new code in a process is slow for seconds. */
const WARM_UP = 2_000;
const MAX_IN_FLIGHT = 64;
/** An engine that cannot keep up is stopped after this; the replies until then count. */
const MAX_MS = 50_000;

/**
 * Runs every query when it is due and measures from that moment: waiting for other searches is included. Returns
 * `{ p50, p99, late, perSecond }` in milliseconds; `late`: how late we sent the queries ourselves, p99.
 */
export async function paced(queries, search) {
  const start = performance.now();
  const times = [];
  const lates = [];
  const inFlight = new Set();
  for (const [number, query] of [...queries.slice(0, WARM_UP), ...queries].entries()) {
    if (number === WARM_UP) times.length = lates.length = 0;
    const due = start + (number * 1_000) / PER_SECOND;
    const wait = due - performance.now();
    if (wait > 0) await sleep(wait);
    while (inFlight.size >= MAX_IN_FLIGHT) await Promise.race(inFlight);
    if (performance.now() - start > MAX_MS) break;
    const sent = performance.now();
    lates.push(sent - due);
    // Timers may fire a moment too early.
    const running = timed(search(query), Math.min(due, sent), times).finally(() => inFlight.delete(running));
    inFlight.add(running);
  }
  await Promise.all(inFlight);
  const perSecond = (times.length * 1_000) / (performance.now() - start - (WARM_UP * 1_000) / PER_SECOND);
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), late: percentile(lates, 0.99), perSecond };
}

function percentile(values, share) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)];
}

async function timed(answer, start, times) {
  await answer;
  times.push(performance.now() - start);
}
