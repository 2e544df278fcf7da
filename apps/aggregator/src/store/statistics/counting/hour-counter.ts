import type { SiteSubnet } from '../../../search/sites/load-sites.js';
import { SiteTable } from '../../../search/sites/site-table.js';
import type { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { HOUR_MS, hoursIn, countsDigest, type Span } from '../hours/counted-time.js';
import {
  deleteHourCalls,
  deleteUnusedFacts,
  writeHourCalls,
  type CountedCalls,
  type KeptCall,
} from '../hours/hour-calls.js';
import { writeHourLoads, type HourLoad } from '../hours/hour-loads.js';
import { addHours, claimHours, isStillClaimed, noteUnknown, type Claim } from './hour-claims.js';
import { keptCalls, readCountedRows } from './read-calls.js';
import { LOADS, sumLoads } from './sum-loads.js';

/** Weeks are kept until their last day is old enough. */
const WEEKS_DAYS = 14;
const REST_MS = 3_600_000;

export interface HourCounterOptions {
  readonly database: Database;
  readonly sites: Pick<SiteTable, 'subnets'>;
  /** How long calls are kept. */
  readonly days: number;
  /** How long an hour that changes again and again is left alone. */
  readonly restMs?: number;
}

interface Counted {
  readonly calls: CountedCalls<KeptCall>;
  readonly loads: ReadonlyMap<string, readonly HourLoad[]>;
}

/**
 * Keeps counts of whole hours that have ended: any replica may do it. What changes meanwhile is noted by those who change it, and the hour
 * counts again when it has been counted again.
 */
export class HourCounter {
  private lastHour: number | undefined;

  constructor(private readonly options: HourCounterOptions) {}

  /** Counts all hours that wait. */
  async count(signal?: AbortSignal): Promise<void> {
    const { database, restMs = REST_MS, sites } = this.options;
    await this.addHours();
    const hasToEnd = (): boolean => signal?.aborted === true;
    while (!hasToEnd()) {
      // They may change at any time.
      const { subnets } = sites;
      const digest = countsDigest(subnets);
      const claim = await database.write((transaction) => claimHours(transaction, digest, restMs));
      if (claim === undefined) break;
      if (claim === 'skipped') continue;
      const counted = await database.read((transaction) => read(transaction, claim, subnets));
      await database.write((transaction) => write(transaction, claim, digest, counted));
    }
  }

  /** Once an hour, because there is a new one then. */
  private async addHours(): Promise<void> {
    const { database, days } = this.options;
    const hour = Math.floor(Date.now() / HOUR_MS);
    if (this.lastHour === hour) return;
    await database.write((transaction) => addHours(transaction, days + WEEKS_DAYS));
    await database.write(noteUnknown);
    this.lastHour = hour;
  }

  /** Removes what was counted of hours that are gone. */
  async forget(): Promise<void> {
    await this.options.database.write(async (transaction) => {
      const { rows } = await transaction.query<{ first: Date }>(
        `with old as (delete from counted_hours where hour < now() - interval '1 day' * $1)
         select coalesce(min(hour), now()) as first from counted_hours where hour >= now() - interval '1 day' * $1`,
        [this.options.days + WEEKS_DAYS],
      );
      const first = rows[0]?.first ?? new Date(0);
      await deleteHourCalls(transaction, { from: new Date(0), to: first });
      await transaction.query('delete from hour_loads where hour < $1', [first]);
      await deleteUnusedFacts(transaction, first);
    });
  }
}

async function read(transaction: Transaction, span: Span, subnets: readonly SiteSubnet[]): Promise<Counted> {
  const table = new SiteTable(subnets);
  const rows = await readCountedRows(transaction, span);
  const calls = await keptCalls(transaction, rows, span.from, { subnets, table });
  return { calls, loads: sumLoads(rows, span, table) };
}

async function write(transaction: Transaction, claim: Claim, sites: string, { calls, loads }: Counted): Promise<void> {
  if (!(await isStillClaimed(transaction, claim))) return;
  await writeHourCalls(transaction, claim, calls);
  for (const name of LOADS) await writeHourLoads(transaction, claim, name, loads.get(name) ?? []);
  const begun = Map.groupBy(calls.rows, ({ at }) => Math.floor((at * 1_000) / HOUR_MS) * HOUR_MS);
  const hours = hoursIn(claim);
  await transaction.query(
    `update counted_hours set counted_at = now(), sites = $1, calls = counted.calls, loads = $2
     from (select unnest($3::timestamptz[]) as hour, unnest($4::integer[]) as calls) as counted
     where counted_hours.hour = counted.hour`,
    [sites, [...loads.keys()], hours.map((hour) => new Date(hour)), hours.map((hour) => begun.get(hour)?.length ?? 0)],
  );
}
