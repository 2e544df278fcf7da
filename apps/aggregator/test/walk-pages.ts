import { expect } from '@jest/globals';
import type { CallFilter } from '../src/search/filter/call-filter.js';
import type { CallSort } from '../src/store/calls/call-orders.js';
import type { PagePosition } from '../src/store/calls/call-page.js';
import type { CallQueries } from '../src/store/calls/call-queries.js';

/** The ids of all calls, page by page. */
export async function walkPages(
  queries: CallQueries,
  filter: CallFilter,
  sort: CallSort,
  limit: number,
): Promise<string[]> {
  const found: string[] = [];
  let after: PagePosition | undefined;
  do {
    const page = await queries.page(filter, sort, limit, after);
    expect(page.calls.length).toBeLessThanOrEqual(limit);
    found.push(...page.calls.map(({ callId }) => callId));
    after = page.next;
  } while (after !== undefined);
  return found;
}
