import { IS_IN_PROGRESS } from '../database/call-states.js';
import type { Database } from '../database/database.js';
import { ACTIVITY_DAYS, FEED_KNOWN_DAYS } from '../feed/front-end-activity.js';
import type { Transaction } from '../database/transaction.js';

/** Replicas do this one after the other. */
const HISTORY_LOCK = 7_464_647;
/**
 * Weeks are dropped under a lock that waits for all current readers and writers and blocks all later ones. The timeout
 * is shorter than the one after which the database checks for deadlocks: so a query that serves calls is never the one
 * that is cancelled.
 */
const LOCK_TIMEOUT_MS = 500;
const PLACES_AT_ONCE = 10_000;
/**
 * A collector may have nothing to store for a while, and a stream may be read again for as long as it keeps records.
 */
const COLLECTOR_DAYS = 400;
/** Weeks that are created in advance, including this one: nothing can be stored in a week without tables. */
const WEEKS_AHEAD = 3;
const TABLES = ['calls', 'records'] as const;

/** The weekly tables that hold calls and their records (see `migrations/0003-history-by-weeks.sql`). */
export class History {
  constructor(private readonly database: Database) {}

  /** Creates the tables of this week and the next ones. Does not take a lock that blocks others. */
  prepare(): Promise<void> {
    return this.database.write(async (transaction) => {
      await transaction.query('select pg_advisory_xact_lock($1)', [HISTORY_LOCK]);
      const known = new Set((await weeksOf(transaction)).map(({ name }) => name));
      const { rows } = await transaction.query<{ name: string; first: string; next: string }>(
        `select to_char(week, 'YYYYMMDD') as name, week::date::text as first, (week + interval '7 days')::date::text as next
         from generate_series(
           date_trunc('week', now() at time zone 'utc'), now() at time zone 'utc' + interval '7 days' * $1, interval '7 days'
         ) as week`,
        [WEEKS_AHEAD - 1],
      );
      for (const { name, first, next } of rows) {
        if (known.has(name)) continue;
        for (const table of TABLES) {
          const part = `${table}_w${name}`;
          // Creating it as a partition at once would lock the whole table.
          await transaction.query(`create table ${part} (like ${table} including defaults including compression)`);
          await transaction.query(
            `alter table ${table} attach partition ${part} for values from ('${first}') to ('${next}')`,
          );
        }
      }
    });
  }

  /**
   * Drops every week whose last day is more than `days` ago, with its calls; returns the number of weeks. A week with a
   * call in progress is kept. Rejects when others are using the tables at the moment: retry later.
   */
  async deleteOlderThan(days: number): Promise<number> {
    const dropped = await this.database.write(async (transaction) => {
      await transaction.query('select pg_advisory_xact_lock($1)', [HISTORY_LOCK]);
      await transaction.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      const old = (await weeksOf(transaction)).filter(({ age }) => age > days);
      let count = 0;
      for (const { name } of old) {
        await transaction.query(`lock table ${TABLES.map((table) => `${table}_w${name}`).join(', ')}`);
        const { rowCount } = await transaction.query(`select 1 from calls_w${name} where ${IS_IN_PROGRESS} limit 1`);
        if (rowCount !== 0) continue;
        await forgetCounts(transaction, `calls_w${name}`);
        for (const table of TABLES) await transaction.query(`drop table ${table}_w${name}`);
        count++;
      }
      return count;
    });
    await this.forgetPlaces();
    await this.deleteOldFrontEnds(days);
    await this.deleteOldCollectors();
    return dropped;
  }

  /** Places before the first remaining week lead nowhere; readers treat them as absent. */
  private async forgetPlaces(): Promise<void> {
    let deleted: number | null;
    do {
      const result = await this.database.write(async (transaction) => {
        const [first] = await weeksOf(transaction);
        return transaction.query(
          `delete from call_places where call_key in (
             select call_key from call_places where stored_on < $1::date limit $2
           ) and stored_on < $1::date`,
          [first?.from ?? null, PLACES_AT_ONCE],
        );
      });
      deleted = result.rowCount;
    } while (deleted === PLACES_AT_ONCE);
  }

  /** Removes collectors that ended long ago: each start of a process is a new collector. */
  private async deleteOldCollectors(): Promise<void> {
    await this.database.write((transaction) =>
      transaction.query(`delete from collector_progress where read_at < now() - interval '1 day' * $1`, [
        COLLECTOR_DAYS,
      ]),
    );
    await this.database.write((transaction) =>
      transaction.query(`delete from collector_accepted where reported_at < now() - interval '2 days'`),
    );
  }

  /** Removes front ends that were switched off long ago: nothing about them is left that could be requested, or measured. */
  private async deleteOldFrontEnds(days: number): Promise<void> {
    await this.database.write((transaction) =>
      transaction.query(`delete from front_ends where last_seen < now() - interval '1 day' * $1`, [
        Math.max(days, FEED_KNOWN_DAYS),
      ]),
    );
    await this.database.write((transaction) =>
      transaction.query(`delete from front_end_activity where slot < now() - interval '1 day' * $1`, [ACTIVITY_DAYS]),
    );
  }
}

/** Deletes the counts of all hours that may have calls of the part: they are counted again from what is left. */
async function forgetCounts(transaction: Transaction, part: string): Promise<void> {
  await transaction.query(
    `delete from counted_hours
     where hour <= greatest((select max(began_at) from ${part}), (select max(lasted_until) from ${part}))`,
  );
}

interface Week {
  /** The suffix of its tables' names: its Monday, or that of the last week that it holds. */
  readonly name: string;
  /** Null for the partition with all weeks before history was kept by weeks. */
  readonly from: string | null;
  /** Days since its last day. */
  readonly age: number;
}

/** The earliest first. */
async function weeksOf(transaction: Transaction): Promise<readonly Week[]> {
  const { rows } = await transaction.query<Week>(
    `select name, "from", (now() at time zone 'utc')::date - to_date(name, 'YYYYMMDD') - 6 as age from (
       select substring(relname from '[0-9]{8}$') as name,
         substring(pg_get_expr(relpartbound, oid) from $$FROM [(]'([^']+)'[)]$$) as "from"
       from pg_class where oid in (select inhrelid from pg_inherits where inhparent = 'calls'::regclass)
     ) as weeks order by name`,
  );
  return rows;
}
