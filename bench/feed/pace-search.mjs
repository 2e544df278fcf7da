// Which pace to try next, when the highest one that a system keeps is looked for.

const STEP = 1.25;
/** Closer than this is not looked: the same pace is kept once and not another time. */
const CLOSE = 1.06;

/** `tries`: `{ pace, isKept }` of all tries. Undefined when the highest pace is known closely enough. */
export function nextPace(tries) {
  const kept = Math.max(0, ...tries.filter(({ isKept }) => isKept).map(({ pace }) => pace));
  // A lower one may not have been kept when another program was busy.
  const missed = Math.min(...tries.filter(({ isKept, pace }) => !isKept && pace > kept).map(({ pace }) => pace));
  if (kept === 0) return Math.round(missed / STEP);
  if (missed === Infinity) return Math.round(kept * STEP);
  return missed / kept < CLOSE ? undefined : Math.round((kept + missed) / 2);
}
