import { CALL_RANGES, RANGE_NAMES, rangeParameters, type RangeName } from '@ringdown/call-catalogue/filters';
import { rejectParameter } from '@ringdown/web-server/errors';
import type { CallRanges, Range } from '../filter/call-filter.js';
import { Moment, RangeEnd } from '../filter/query-fields.js';

type Ends = { [R in RangeName as `min${Capitalize<R>}` | `max${Capitalize<R>}`]?: number };

class DecoratedQuery {
  @Moment()
  invitedFrom?: Date;

  @Moment()
  invitedTo?: Date;

  @Moment()
  runningFrom?: Date;

  @Moment()
  runningTo?: Date;
}

for (const name of RANGE_NAMES) {
  const read = RangeEnd(CALL_RANGES[name].reads);
  for (const parameter of rangeParameters(name)) read(DecoratedQuery.prototype, parameter);
}

/**
 * Parameters that select calls by their duration, the times of their setup, the speed of their links, and the worst value
 * of each metric among their streams. Cast, because the loop above declares the properties, and not the class.
 */
export const CallRangesQuery = DecoratedQuery as new () => DecoratedQuery & Ends;
export type CallRangesQuery = InstanceType<typeof CallRangesQuery>;

/** Throws a {@link Fault} when a range is empty. */
export function rangesOf(query: CallRangesQuery): CallRanges {
  const ranges = RANGE_NAMES.map((name) => {
    const [least, most] = rangeParameters(name);
    // An unknown duration is stored as a negative one.
    const from = name === 'durationSeconds' && query[most] !== undefined ? (query[least] ?? 0) : query[least];
    return [name, range(least, from, query[most])] as const;
  });
  const numbers = Object.fromEntries(ranges) as Record<RangeName, Range<number>>; // oxlint-disable-line typescript/no-unsafe-type-assertion -- has an entry for each name
  return {
    ...numbers,
    invitedAt: range('invitedFrom', query.invitedFrom, query.invitedTo),
    running: range('runningFrom', query.runningFrom, query.runningTo),
  };
}

function range<T extends number | Date>(field: string, from: T | undefined, to: T | undefined): Range<T> {
  if (from !== undefined && to !== undefined && from > to)
    rejectParameter(field, `${field} must not be greater than the other end of the range`, 'order');
  return { from, to };
}
