import { frontEndKey } from '../../calls/call-keys.js';
import { IS_IN_PROGRESS } from '../database/call-states.js';
import type { Database } from '../database/database.js';
import { feedCalls, type FeedCalls } from './feed-calls.js';
import { activityOf, perMinute, activitySlotStart, type Activity } from './front-end-activity.js';
import type { Transaction } from '../database/transaction.js';
import { AROUND_SECONDS, COMPARED_DAYS, usualIntervalSeconds, type FeedHistory } from './usual-interval.js';

export interface FrontEnd {
  readonly name: string;
  /** Clock of the collector. */
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** Different records of this feed, and recognised copies. */
  readonly records: number;
  readonly duplicates: number;
  /** Records that arrived after their call was considered complete. */
  readonly late: number;
  /** Calls that it reported and that expired without an end. */
  readonly expired: number;
  readonly callsInProgress: number;
  /** In the last 15 minutes, including duplicates. */
  readonly recordsPerMinute: number;
  /** Between two records at this time of day; null with few records. */
  readonly usualIntervalSeconds: number | null;
}

export interface FrontEndPage {
  readonly frontEnds: readonly FrontEnd[];
  /** Key of the last one; undefined on the last page. */
  readonly next: string | undefined;
}

export interface FrontEndHealth extends FrontEnd {
  readonly activity: Activity;
  readonly newestCalls: FeedCalls;
}

/** A query about one front end. */
export interface HealthQuestion {
  readonly name: string;
  /** The length of the period until now, in hours. */
  readonly hours: number;
  readonly gapSeconds: number;
}

interface Row {
  readonly name_key: string;
  readonly name: string;
  readonly first_seen: Date;
  readonly last_seen: Date;
  readonly records: string;
  readonly duplicates: string;
  readonly late: string;
  readonly expired: string;
  readonly calls: number;
  readonly recent: number;
  readonly at_this_time: number;
}

const RECENT_MS = 900_000;
const DAY_SECONDS = 86_400;

/** All queries about front ends. */
export class FrontEndQueries {
  constructor(
    private readonly database: Database,
    /** Our clock, milliseconds since 1970. */
    private readonly now: () => number = Date.now,
  ) {}

  /** Sorted by name; those after the key `after`, if it is given. */
  async page(limit: number, after = ''): Promise<FrontEndPage> {
    const rows = await this.database.read((transaction) => this.rows(transaction, 'name_key > $1', after, limit + 1));
    const page = rows.slice(0, limit);
    return {
      frontEnds: page.map((row) => this.frontEndOf(row)),
      next: rows.length > limit ? page.at(-1)?.name_key : undefined,
    };
  }

  /** The names of all front ends, as first written. */
  async names(): Promise<readonly string[]> {
    const { rows } = await this.database.read((transaction) =>
      transaction.query<{ name: string }>('select distinct name from front_ends'),
    );
    return rows.map(({ name }) => name);
  }

  /** Undefined when no record belongs to it. */
  health({ name, hours, gapSeconds }: HealthQuestion): Promise<FrontEndHealth | undefined> {
    const nameKey = frontEndKey(name);
    return this.database.read(async (transaction) => {
      const [row] = await this.rows(transaction, 'name_key = $1', nameKey, 1);
      if (row === undefined) return undefined;
      const now = this.now();
      const from = activitySlotStart(now - hours * 3_600_000);
      const activity = await activityOf(transaction, {
        nameKey,
        from,
        now,
        gapSeconds,
        lastSeen: row.last_seen.getTime(),
      });
      return { ...this.frontEndOf(row), activity, newestCalls: await feedCalls(transaction, nameKey) };
    });
  }

  private async rows(transaction: Transaction, which: string, key: string, limit: number): Promise<readonly Row[]> {
    const { rows } = await transaction.query<Row>(
      `with chosen as (
         select name_key, (array_agg(name order by first_seen))[1] as name, min(first_seen) as first_seen,
           max(last_seen) as last_seen, sum(records) as records, sum(duplicates) as duplicates, sum(late) as late,
           sum(expired) as expired
         from front_ends where ${which} group by name_key order by name_key limit $2
       ), live as (
         select unnest(front_ends) as name_key, count(*)::integer as calls from calls where ${IS_IN_PROGRESS} group by 1
       ), recent as (
         select name_key, sum(active.records + active.duplicates)::integer as recent
         from front_end_activity as active join chosen using (name_key) where slot >= $3 group by name_key
       ), at_this_time as (
         select name_key, sum(window_records)::integer as at_this_time
         from chosen cross join generate_series(1, ${COMPARED_DAYS}) as days cross join lateral (
           select sum(active.records + active.duplicates) as window_records from front_end_activity as active
           where active.name_key = chosen.name_key and slot between
             $4::timestamptz - interval '1 second' * (days * ${DAY_SECONDS} + ${AROUND_SECONDS})
             and $4::timestamptz - interval '1 second' * (days * ${DAY_SECONDS} - ${AROUND_SECONDS})
         ) as same_hours group by name_key
       )
       select chosen.*, coalesce(calls, 0) as calls, coalesce(recent, 0) as recent,
         coalesce(at_this_time, 0) as at_this_time
       from chosen left join live using (name_key) left join recent using (name_key)
         left join at_this_time using (name_key) order by name_key`,
      [key, limit, new Date(this.recentFrom()), new Date(activitySlotStart(this.now()))],
    );
    return rows;
  }

  private recentFrom(): number {
    return activitySlotStart(this.now() - RECENT_MS);
  }

  private frontEndOf(row: Row): FrontEnd {
    return {
      name: row.name,
      firstSeen: row.first_seen.toISOString(),
      lastSeen: row.last_seen.toISOString(),
      records: Number(row.records),
      duplicates: Number(row.duplicates),
      late: Number(row.late),
      expired: Number(row.expired),
      callsInProgress: row.calls,
      recordsPerMinute: perMinute(row.recent, this.now() - this.recentFrom()),
      usualIntervalSeconds: usualIntervalSeconds(historyOf(row), this.now()) ?? null,
    };
  }
}

function historyOf(row: Row): FeedHistory {
  const { first_seen, last_seen, records, duplicates, at_this_time } = row;
  return {
    firstSeen: first_seen.getTime(),
    lastSeen: last_seen.getTime(),
    records: Number(records) + Number(duplicates),
    atThisTime: at_this_time,
  };
}
