import type { Conditions } from '../../../search/filter/call-filter.js';
import type { Transaction } from '../../database/transaction.js';
import { HOUR_MS, type Span } from '../hours/counted-time.js';

const HOURS_OF_DAY = 24;

/** More calls match than can be read in time: said at once, with a time that could be answered. */
export class TooManyCalls extends Error {
  override readonly name = 'TooManyCalls';

  constructor(expected: number, most: number, { from, to }: Span) {
    const hours = Math.max(1, Math.floor(((to.getTime() - from.getTime()) / HOUR_MS) * (most / expected)));
    const isShort = hours < 2 * HOURS_OF_DAY;
    const [count, unit] = isShort ? [hours, 'hour'] : [Math.floor(hours / HOURS_OF_DAY), 'day'];
    const time = `${count} ${unit}${count === 1 ? '' : 's'}`;
    super(
      `About ${rounded(expected)} calls match, and with these filters ${rounded(most)} can be read in time: request at most ${time}, or add filters.`,
    );
  }
}

function rounded(calls: number): string {
  return Number(calls.toPrecision(2)).toLocaleString('en');
}

/** Rejects with {@link TooManyCalls}. `conditions`: those of the calls in the span. */
export async function refuseTooMany(
  transaction: Transaction,
  { where, values }: Pick<Conditions, 'where' | 'values'>,
  span: Span,
  most: number,
): Promise<void> {
  const { rows } = await transaction.query<{
    'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Plan Rows': number } }];
  }>(`explain (format json) select from calls ${where}`, values);
  const expected = rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
  if (expected > most) throw new TooManyCalls(expected, most, span);
}
