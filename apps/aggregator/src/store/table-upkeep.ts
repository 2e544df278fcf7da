import { escapeIdentifier } from 'pg';
import type { Database } from './database.js';

/** One replica at a time. */
const STATISTICS_LOCK = 7_464_648;
/** As autovacuum of a server does by default: 50 rows and a tenth of the table. */
const CHANGED_ROWS = 50;
const CHANGED_SHARE = 0.1;
/** As autovacuum does by default, too. */
const DEAD_ROWS = 50;
const DEAD_SHARE = 0.2;
/** Row counters of PGlite are lost when it stops; the growth since the last ANALYZE is not. */
const GROWN_PAGES = 20;

const OUTDATED = `
  select relname as name
  from pg_class, lateral (
    select pg_stat_get_mod_since_analyze(oid) as changed,
      pg_relation_size(oid) / current_setting('block_size')::integer as pages
  ) as now
  where relnamespace = current_schema()::regnamespace and relkind = 'r' and pg_get_userbyid(relowner) = current_user
    and (changed > ${CHANGED_ROWS} + ${CHANGED_SHARE} * greatest(reltuples, 0)
      or pages > ${GROWN_PAGES} + (1 + ${CHANGED_SHARE}) * relpages)
  order by relname`;

const WITH_DEAD_ROWS = `
  select relname as name from pg_class
  where relnamespace = current_schema()::regnamespace and relkind = 'r' and pg_get_userbyid(relowner) = current_user
    and pg_stat_get_dead_tuples(oid) > ${DEAD_ROWS} + ${DEAD_SHARE} * greatest(reltuples, 0)
  order by relname`;

const CLEAN = `
  select coalesce(sum(gin_clean_pending_list(index.oid)), 0)::integer as pages
  from pg_class as index join pg_am on pg_am.oid = relam
  where amname = 'gin' and relkind = 'i' and relnamespace = current_schema()::regnamespace
    and pg_get_userbyid(relowner) = current_user`;

/**
 * What autovacuum of a server does for tables that grow. The embedded database has none; on a server, it usually comes
 * first.
 */
export class TableUpkeep {
  constructor(private readonly database: Database) {}

  /**
   * Renews what the planner knows of tables that have changed enough since the last time; returns their names. By it queries
   * are planned and large ones rejected (see query-size.ts).
   */
  async analyzeChanged(): Promise<readonly string[]> {
    const { rows } = await this.database.write((transaction) => transaction.query<{ name: string }>(OUTDATED));
    const analyzed: string[] = [];
    for (const { name } of rows) if (await this.analyze(name)) analyzed.push(name);
    return analyzed;
  }

  /**
   * Makes the room of deleted and replaced rows usable again, in tables that have enough of them; returns their names. Skips a
   * table that is locked, by autovacuum or another replica for example.
   */
  async vacuumTables(): Promise<readonly string[]> {
    const { rows } = await this.database.write((transaction) => transaction.query<{ name: string }>(WITH_DEAD_ROWS));
    // One statement for each table: the embedded database answers others in between.
    for (const { name } of rows)
      await this.database.maintain(`vacuum (skip_locked, analyze) ${escapeIdentifier(name)}`);
    return rows.map(({ name }) => name);
  }

  /**
   * Moves new entries of the indexes of texts to their places; returns the pages that they occupied. Until then, every search
   * reads all of them, up to 4 MB of each index. `fastupdate = off` would need no such list, but makes inserting a call
   * three times as expensive.
   */
  async movePendingEntries(): Promise<number> {
    const { rows } = await this.database.write((transaction) => transaction.query<{ pages: number }>(CLEAN));
    return rows[0]?.pages ?? 0;
  }

  /** False if another replica is doing it, or the table was dropped. */
  private analyze(name: string): Promise<boolean> {
    return this.database.write(async (transaction) => {
      const { rows } = await transaction.query<{ table: string | null }>(
        `select case when pg_try_advisory_xact_lock($1) then to_regclass(quote_ident($2))::text end as table`,
        [STATISTICS_LOCK, name],
      );
      const table = rows[0]?.table ?? null;
      if (table === null) return false;
      await transaction.query(`analyze ${table}`);
      return true;
    });
  }
}
