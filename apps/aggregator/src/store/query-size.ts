import type { PoolClient } from 'pg';

/** The planner expects that a query reads more rows than the limit: it was not run. */
export class QueryTooLarge extends Error {
  override readonly name = 'QueryTooLarge';
}

interface PlanNode {
  readonly 'Total Cost': number;
  readonly 'Plan Rows': number;
  readonly Plans?: readonly PlanNode[];
}

interface Explained {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }];
}

const READS = /^\s*(?:select|with)\b/i;
/**
 * Of one page of a million calls that are sorted by a value without an index, 200,000. The cost alone says little about the
 * time of statistics: the planner does not know how many streams a call has. But a cheap query is short, however many
 * rows it would have without its `limit`.
 */
const CHEAP = 1_000_000;

/**
 * Throws {@link QueryTooLarge} for a query that is neither cheap nor estimated to read at most `limit` rows. For a database
 * that cannot cancel a query.
 */
export async function checkSize(client: PoolClient, sql: string, values: unknown[], limit: number): Promise<void> {
  if (!READS.test(sql)) return;
  const { rows } = await client.query<Explained>(`explain (format json) ${sql}`, values);
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  if (plan === undefined || plan['Total Cost'] <= CHEAP) return;
  const read = rowsRead(plan);
  if (read > limit) throw new QueryTooLarge(`the query would read ${read} rows, more than ${limit} (QUERY_ROWS_LIMIT)`);
}

/** By the parts of the plan that read tables, each once. */
function rowsRead({ 'Plan Rows': rows, Plans: parts = [] }: PlanNode): number {
  return parts.length === 0 ? rows : parts.reduce((sum, part) => sum + rowsRead(part), 0);
}
