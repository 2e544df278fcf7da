import { rejectParameter } from '@ringdown/web-server';
import type { CallFilter, Range, SetupFilter } from '../store/call-filter.js';
import { Moment, Seconds } from './query-fields.js';

/** Parameters that select calls by their duration and the times of their setup. */
export class CallTimesQuery {
  @Seconds()
  minDurationSeconds?: number;

  @Seconds()
  maxDurationSeconds?: number;

  @Moment()
  invitedFrom?: Date;

  @Moment()
  invitedTo?: Date;

  @Seconds()
  minRingSeconds?: number;

  @Seconds()
  maxRingSeconds?: number;

  @Seconds()
  minSetupSeconds?: number;

  @Seconds()
  maxSetupSeconds?: number;

  @Seconds()
  minPostDialSeconds?: number;

  @Seconds()
  maxPostDialSeconds?: number;
}

/** Undefined without a bound. Throws a {@link Fault} when the range is empty. */
export function durationOf({
  minDurationSeconds: min,
  maxDurationSeconds: max,
}: CallTimesQuery): CallFilter['duration'] {
  return min === undefined && max === undefined ? undefined : range('minDurationSeconds', min, max);
}

/** Throws a {@link Fault} when a range is empty. */
export function setupOf(query: CallTimesQuery): SetupFilter {
  return {
    invitedAt: range('invitedFrom', query.invitedFrom, query.invitedTo),
    ringSeconds: range('minRingSeconds', query.minRingSeconds, query.maxRingSeconds),
    setupSeconds: range('minSetupSeconds', query.minSetupSeconds, query.maxSetupSeconds),
    postDialSeconds: range('minPostDialSeconds', query.minPostDialSeconds, query.maxPostDialSeconds),
  };
}

function range<T extends number | Date>(field: string, from: T | undefined, to: T | undefined): Range<T> {
  if (from !== undefined && to !== undefined && from > to)
    rejectParameter(field, `${field} must not be greater than the other end of the range`);
  return { from, to };
}
