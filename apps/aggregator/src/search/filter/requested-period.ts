import { rejectParameter } from '@ringdown/web-server/errors';
import type { Period } from './chosen-front-ends.js';

/**
 * The time between two parameters: without `to` until `now`, milliseconds since 1970, and without `from` as long as usual. Throws a
 * {@link Fault} when `from` is not before its end.
 */
export function requestedPeriod(
  { from, to }: { readonly from?: Date | undefined; readonly to?: Date | undefined },
  now: number,
  usualMs: number,
): Period {
  const until = to ?? new Date(now);
  const since = from ?? new Date(until.getTime() - usualMs);
  if (since >= until) {
    const end = to === undefined ? 'now where to is left out' : 'to';
    rejectParameter('from', `from must be before ${end}`, 'order');
  }
  return { from: since, to: until };
}
