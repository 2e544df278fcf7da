/** When a rule fires and when it is resolved. */
export interface AlertCondition {
  readonly comparison: 'above' | 'below';
  /** Beyond it the condition holds; the limit itself is allowed. */
  readonly limit: number;
  /** An open alert is resolved only at this value or a better one: on the allowed side of the limit, or the limit. */
  readonly clearLimit: number;
  /** With fewer calls nothing is decided. */
  readonly minimumCalls: number;
  /** How long the condition has to hold before the alert fires. */
  readonly forSeconds: number;
}

/** What one window has; without a value, there was nothing to measure. */
export interface Measurement {
  readonly value: number | null;
  readonly calls: number;
}

/** What an evaluation hands to the next one. Times: milliseconds since 1970, by the clock of the database. */
export type AlertPhase = { readonly phase: 'clear' } | { readonly phase: 'pending' | 'firing'; readonly since: number };

export interface NextState {
  readonly next: AlertPhase;
  /** What receivers are notified of; null: nothing. */
  readonly change: 'firing' | 'resolved' | null;
}

const CLEAR: AlertPhase = { phase: 'clear' };

/**
 * The state after a measurement. An open alert stays open inside the hysteresis and while there are too few calls; without
 * any it is resolved if `isFed`. A pending one is dropped in all these cases. `silenced`: no alert begins to fire, but an
 * open one may be resolved. `isFed`: other records have arrived, so that nothing to measure means that there is nothing.
 */
export function nextState(
  condition: AlertCondition,
  { value, calls }: Measurement,
  previous: AlertPhase,
  { now, silenced, isFed }: { readonly now: number; readonly silenced: boolean; readonly isFed: boolean },
): NextState {
  const known = calls < condition.minimumCalls ? null : value;
  if (previous.phase === 'firing') {
    return (isFed && calls === 0) || (known !== null && isCleared(condition, known))
      ? { next: CLEAR, change: 'resolved' }
      : { next: previous, change: null };
  }
  if (known === null || !isExceeded(condition, known)) return { next: CLEAR, change: null };
  const since = previous.phase === 'pending' ? previous.since : now;
  const isDue = now - since >= condition.forSeconds * 1_000;
  if (isDue && !silenced) return { next: { phase: 'firing', since: now }, change: 'firing' };
  return { next: { phase: 'pending', since }, change: null };
}

function isExceeded({ comparison, limit }: AlertCondition, value: number): boolean {
  return comparison === 'above' ? value > limit : value < limit;
}

function isCleared({ comparison, clearLimit }: AlertCondition, value: number): boolean {
  return comparison === 'above' ? value <= clearLimit : value >= clearLimit;
}
