import type { Database } from '../database/database.js';

const CLEAN = `
  select coalesce(sum(gin_clean_pending_list(index.oid)), 0)::integer as pages
  from pg_class as index join pg_am on pg_am.oid = relam
  where amname = 'gin' and relkind = 'i' and relnamespace = current_schema()::regnamespace
    and pg_get_userbyid(relowner) = current_user`;

/**
 * Moves new entries of the indexes of texts to their places; returns the pages that they occupied. Until then, every search
 * reads all of them, up to 4 MB of each index, and autovacuum moves them only when a tenth of the table has changed.
 * `fastupdate = off` would need no such list, but makes inserting a call three times as expensive.
 */
export async function movePendingEntries(database: Database): Promise<number> {
  const { rows } = await database.write((transaction) => transaction.query<{ pages: number }>(CLEAN));
  return rows[0]?.pages ?? 0;
}
