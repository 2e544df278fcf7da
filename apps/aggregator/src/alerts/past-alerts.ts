import type { CallValue } from './deciding/call-values.js';
import type { FeedActivity } from './deciding/feed-silence.js';
import { ruleCondition, type AlertRuleContent } from './rules/alert-rule.js';
import { nextState, type AlertPhase, type Measurement } from './deciding/next-state.js';
import { isSilenced } from './rules/silences.js';

/** Evaluations at equal distances; times are milliseconds since 1970. */
export interface Steps {
  /** The first evaluation is one step after it. */
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
}

/** An alert that a rule would have raised. */
export interface PastAlert {
  /** Null when everything is measured together. */
  readonly value: string | null;
  readonly startsAt: number;
  /** Null when it would not have been resolved. */
  readonly endsAt: number | null;
  /** What fired it. */
  readonly measured: Measurement;
}

const FINEST_SECONDS = 300;

/** The finest step of at least five minutes, or the window if that is shorter, of which the window has a whole number. */
export function windowStepSeconds(windowSeconds: number): number {
  for (let seconds = FINEST_SECONDS; seconds < windowSeconds; seconds += 60) {
    if (windowSeconds % seconds === 0) return seconds;
  }
  return windowSeconds;
}

/** Of one scope: `measured` at each evaluation. */
export function pastAlerts(
  rule: AlertRuleContent,
  value: string | null,
  { from, to, stepMs }: Steps,
  measured: (now: number) => Measurement,
): readonly PastAlert[] {
  const condition = ruleCondition(rule);
  const alerts: PastAlert[] = [];
  let phase: AlertPhase = { phase: 'clear' };
  for (let now = from + stepMs; now <= to; now += stepMs) {
    const measurement = measured(now);
    const { next, change } = nextState(condition, measurement, phase, {
      now,
      silenced: isSilenced(rule.silences, now),
      isFed: rule.measure !== 'silentFeed',
    });
    phase = next;
    const last = alerts.at(-1);
    if (change === 'firing') alerts.push({ value, startsAt: now, endsAt: null, measured: measurement });
    if (change === 'resolved' && last !== undefined) alerts[alerts.length - 1] = { ...last, endsAt: now };
  }
  return alerts;
}

/** The measurement at any step, from the buckets of one scope: the average over the window before it. */
export function slidingWindow(
  values: readonly CallValue[],
  { from, to, stepMs }: Steps,
  windowMs: number,
): (now: number) => Measurement {
  const first = from - windowMs;
  const places = Math.ceil((to - first) / stepMs) + 1;
  // Everything before a place.
  const [calls, sums] = [new Float64Array(places + 1), new Float64Array(places + 1)];
  for (const value of values) {
    const place = Math.floor((value.bucketAt - first) / stepMs) + 1;
    calls[place] = (calls[place] ?? 0) + value.calls;
    sums[place] = (sums[place] ?? 0) + value.sum;
  }
  for (let place = 1; place <= places; place++) {
    calls[place] = (calls[place] ?? 0) + (calls[place - 1] ?? 0);
    sums[place] = (sums[place] ?? 0) + (sums[place - 1] ?? 0);
  }
  return (now) => {
    const [end, begin] = [Math.floor((now - first) / stepMs), Math.floor((now - windowMs - first) / stepMs)];
    const count = (calls[end] ?? 0) - (calls[begin] ?? 0);
    return { value: count === 0 ? null : ((sums[end] ?? 0) - (sums[begin] ?? 0)) / count, calls: count };
  };
}

/** The same for problems: their sum. */
export function sumInWindow(...given: Parameters<typeof slidingWindow>): (now: number) => Measurement {
  const measured = slidingWindow(...given);
  return (now) => {
    const { calls } = measured(now);
    return { value: calls, calls };
  };
}

/** The seconds since the last record of one feed at any step, asked in ascending order. `activities`: by time. */
export function silenceAt(activities: readonly FeedActivity[]): (now: number) => Measurement {
  let index = 0;
  let lastAt: number | undefined;
  let records = 0;
  return (now) => {
    for (let next = activities[index]; next !== undefined && next.firstAt <= now; next = activities[++index]) {
      lastAt = next.lastAt;
      records += next.records;
    }
    // Inside a slot of activity there are records up to now.
    return { value: lastAt === undefined ? null : Math.max(0, now - lastAt) / 1_000, calls: records };
  };
}
