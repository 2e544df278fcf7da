/** Of the values axis: from zero, so that heights can be compared, or over the values that there are. */
export type ValueRange = 'fromZero' | 'used';

/** The whole scale of a score, for an axis without values. */
const SCALE: readonly [number, number] = [1, 5];
const STEP = 0.5;

/** The ends of the values axis; `low` and `high` are null without values. */
export function axisRange(range: ValueRange, low: number | null, high: number | null): [number, number] {
  if (range === 'fromZero') return [0, Math.max(Number.MIN_VALUE, (high ?? 1) * 1.1)];
  if (low === null || high === null) return [...SCALE];
  const [from, to] = [Math.floor(low / STEP) * STEP, Math.ceil(high / STEP) * STEP];
  return from < to ? [from, to] : [from, from + STEP];
}
