import type { IdentityHiding } from '@ringdown/identity-hiding';
import type { SiteSubnet } from '../../search/sites/load-sites.js';
import type { CallFilter } from '../../search/filter/call-filter.js';
import type { Transaction } from '../../store/database/transaction.js';
import type { AlertRuleContent } from '../rules/alert-rule.js';
import { callValues } from './call-values.js';
import { chosenFeeds, feedsNow } from './feed-silence.js';
import { isCount } from './measures.js';
import { problemValues } from './problem-values.js';
import type { Measurement } from './next-state.js';

export interface MeasureQuestion {
  readonly filter: CallFilter;
  readonly sites: readonly SiteSubnet[];
  readonly hiding: Pick<IdentityHiding, 'field'>;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Values that have a state: they are measured too, however few calls they have. */
  readonly also: readonly string[];
}

/** By value; by null for everything together. A value without calls is missing. */
export type Measurements = ReadonlyMap<string | null, Measurement>;

/** More values than these are not asked for. */
const MOST_ROWS = 10_000;

/** What a rule measures at this moment. */
export async function measureNow(
  transaction: Transaction,
  rule: AlertRuleContent,
  { filter, sites, hiding, now, also }: MeasureQuestion,
): Promise<Measurements> {
  const { measure, shortSeconds, by, windowSeconds, search } = rule;
  const from = new Date(now - windowSeconds * 1_000);
  const buckets = { from, to: new Date(now), seconds: windowSeconds };
  if (measure === 'silentFeed') {
    const choice = await chosenFeeds(transaction, search, buckets, hiding);
    const feeds = await feedsNow(transaction, choice, { now, also });
    return new Map(
      feeds.map(({ name, lastAt, records }) => [name, { value: Math.max(0, now - lastAt) / 1_000, calls: records }]),
    );
  }
  if (isCount(measure)) {
    const choice = await chosenFeeds(transaction, search, buckets, hiding);
    const asked = { measure, choice, buckets, by, also, mostRows: MOST_ROWS };
    const problems = await problemValues(transaction, asked);
    return new Map(problems.map(({ value, sum }) => [value, { value: sum, calls: sum }]));
  }
  const question = { measure, shortSeconds, filter, buckets, by, sites, also };
  const values = await callValues(transaction, { ...question, mostRows: MOST_ROWS });
  return new Map(values.map(({ value, calls, sum }) => [value, { value: sum / calls, calls }]));
}
