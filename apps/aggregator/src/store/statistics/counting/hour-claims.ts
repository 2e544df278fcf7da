import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../database/transaction.js';
import { HOUR_MS, type Span } from '../hours/counted-time.js';

/** Hours that are counted together, and calls in them. */
const MOST_HOURS = 24;
const MOST_CALLS = 5_000;
/** More calls of one hour are not kept: reading them would take too much memory. */
const MOST_IN_HOUR = 50_000;

/** Hours that are to be counted, one after the other. */
export interface Claim extends Span {
  /** Who counts the same hours later has another one. */
  readonly id: string;
}

/** Makes rows of hours that have ended, from the first call on. To be followed by {@link noteUnknown}, in a transaction of its own. */
export async function addHours(transaction: Transaction, days: number): Promise<void> {
  await transaction.query(
    `insert into counted_hours (hour)
     select generate_series(
       date_bin('1 hour', greatest(coalesce((select min(began_at) from calls), now()), now() - interval '1 day' * $1), 'epoch'),
       date_bin('1 hour', now() - interval '3 hours', 'epoch'), interval '1 hour'
     ) on conflict do nothing`,
    [days],
  );
}

/**
 * Whoever changes a call without having seen the new row of its hour makes no note: the hour may be counted when all who run now have ended.
 */
export async function noteUnknown(transaction: Transaction): Promise<void> {
  await transaction.query(
    'update counted_hours set unknown_to = pg_snapshot_xmax(pg_current_snapshot()) where not known',
  );
}

interface Waiting {
  /** Milliseconds since 1970. */
  readonly hour: number;
  readonly calls: number;
}

/** The newest hours that are not counted or have changed; undefined when there are none. What is counted of them counts no longer. */
export async function claimHours(
  transaction: Transaction,
  sites: string,
  restMs: number,
): Promise<Claim | 'skipped' | undefined> {
  const { rows } = await transaction.query<Waiting>(
    `select extract(epoch from hour)::float8 * 1000 as hour,
       (select count(*)::integer from calls where began_at >= hour and began_at < hour + interval '1 hour') as calls
     from (
       select hour from counted_hours, (select coalesce(range_agg(times), '{}') as times from changed_hours) as changed
       where (known or unknown_to <= pg_snapshot_xmin(pg_current_snapshot()))
         and (claimed_at is null or claimed_at < now() - interval '1 minute' or counted_at is not null)
         and (counted_at is null or sites is distinct from $1 or counted_at < now() - interval '1 millisecond' * $2::float8
           and tstzrange(hour, hour + interval '1 hour') && changed.times)
       order by hour desc limit ${MOST_HOURS}
     ) as waiting order by hour desc`,
    [sites, restMs],
  );
  const hours = together(rows);
  const [newest] = hours;
  if (newest === undefined) {
    await takeChanges(transaction);
    return undefined;
  }
  const from = new Date(hours.at(-1)?.hour ?? newest.hour);
  const to = new Date(newest.hour + HOUR_MS);
  await takeChanges(transaction, { from, to });
  const isKept = newest.calls <= MOST_IN_HOUR;
  const id = randomUUID();
  await transaction.query(
    `update counted_hours set known = true, claim = $3, claimed_at = now(), counted_at = case when $4 then null else now() end,
       sites = case when $4 then null else $5 end, calls = null, loads = null
     where hour >= $1 and hour < $2`,
    [from, to, id, isKept, sites],
  );
  return isKept ? { from, to, id } : 'skipped';
}

/** Joins the times of changes, and removes the span from them. A call that has lasted for months notes them with each change. */
async function takeChanges(transaction: Transaction, span?: Span): Promise<void> {
  await transaction.query(
    `with gone as (
       delete from changed_hours where $1::timestamptz is not null or (select count(*) from changed_hours) > 100 returning times
     )
     insert into changed_hours
     select unnest(range_agg(times) - case when $1 is null then '{}' else tstzmultirange(tstzrange($1, $2)) end) from gone`,
    [span?.from, span?.to],
  );
}

/** False if others have begun to count the hours since, or some have been deleted. */
export async function isStillClaimed(transaction: Transaction, { from, to, id }: Claim): Promise<boolean> {
  const { rowCount } = await transaction.query(
    'select from counted_hours where hour >= $1 and hour < $2 and claim = $3 for update',
    [from, to, id],
  );
  return rowCount === (to.getTime() - from.getTime()) / HOUR_MS;
}

/** The first hours that follow each other, as many as are counted at a time. */
function together(waiting: readonly Waiting[]): readonly Waiting[] {
  let calls = 0;
  const end = waiting.findIndex(({ hour, calls: own }, n) => {
    calls += own;
    const before = waiting[n - 1];
    return before !== undefined && (before.hour - hour !== HOUR_MS || calls > MOST_CALLS);
  });
  return end === -1 ? waiting : waiting.slice(0, end);
}
