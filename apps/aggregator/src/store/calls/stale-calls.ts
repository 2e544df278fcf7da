import { numberPairSearch } from '../../search/keys/number-pairs.js';
import type { CallFilter } from '../../search/filter/call-filter.js';
import type { Transaction } from '../database/transaction.js';

/** More are not listed: with the index of texts, a search compares about as many calls. */
const LISTED = 100;

/**
 * The filter with the calls that may be without the keys it searches. Without that, a page of calls in their order could compare
 * all of them for a text that none has.
 */
export async function withStaleCalls(transaction: Transaction, filter: CallFilter): Promise<CallFilter> {
  if (!filter.words?.some((word) => numberPairSearch(['numbers'], word).length > 0)) return filter;
  // In the order of the index of stale calls: otherwise the database may scan all calls until one is stale.
  const statement = `select call_key from calls where stale order by call_key limit ${LISTED + 1}`;
  const { rows } = await transaction.query<{ call_key: string }>(statement);
  return { ...filter, stale: rows.length > LISTED ? 'many' : rows.map((row) => row.call_key) };
}
