import type { SuspectDimension } from '@ringdown/call-catalogue/filters';
import { LEAST_CALLS, type Fact } from '@ringdown/quality/suspects';
import type { CallFilter } from '../../../search/filter/call-filter.js';
import type { SiteSubnet } from '../../../search/sites/load-sites.js';
import type { Transaction } from '../../database/transaction.js';
import { isCounted, readCountedTime, type CountedTime, type Span } from '../hours/counted-time.js';
import type { CountedCall } from '../hours/hour-calls.js';
import { KeptCalls } from '../hours/kept-calls.js';
import { isOfKeptCalls } from '../hours/kept-conditions.js';
import { refuseTooMany } from '../load/too-many-calls.js';
import { mergeCalls } from './merge-calls.js';
import { COUNTED_PROBLEMS, problemBits, problemCounts, type ProblemCounts } from './call-problems.js';
import { factOfKey, isSuspectKey, readSuspectRows, sampledConditions } from './suspect-rows.js';

export interface SuspectRows {
  readonly facts: readonly Fact<SuspectDimension>[];
  readonly rows: readonly CountedCall[];
}

interface Limits {
  readonly sites: readonly SiteSubnet[];
  /** More calls are not counted, but one of so many. */
  readonly most: number;
}

/** Hours of which calls are kept, and the rest of the time. */
interface KeptTime extends CountedTime {
  readonly kept: KeptCalls;
}

/** Calls that match a filter of which nothing is kept: they are all compared, also if a few of them are read then. */
const MOST_MATCHING = 300_000;

type Counts = ProblemCounts & { readonly calls: number };

/** The calls among which suspects are found: from the counts of whole hours, and directly from the calls of all other times. */
export class SuspectSource {
  private constructor(
    private readonly transaction: Transaction,
    private readonly filter: CallFilter & Span,
    private readonly sites: readonly SiteSubnet[],
    private readonly time: KeptTime | undefined,
    /** One call of so many is counted. */
    readonly oneOf: number,
  ) {}

  static async of(
    transaction: Transaction,
    filter: CallFilter & Span,
    { sites, most }: Limits,
  ): Promise<SuspectSource> {
    const time = isOfKeptCalls(filter) ? await keptTime(transaction, filter, sites) : undefined;
    const { where, values } = sampledConditions(filter, 1, time?.open);
    if (time === undefined && !isCounted(filter))
      await refuseTooMany(transaction, { where, values }, filter, MOST_MATCHING);
    const { rows } = await transaction.query<{ calls: number }>(
      `select count(*)::integer as calls from calls ${where}`,
      values,
    );
    const calls = (rows[0]?.calls ?? 0) + (time === undefined ? 0 : await callsIn(time, filter));
    const oneOf = calls <= most ? 1 : 2 ** Math.ceil(Math.log2(calls / most));
    return new SuspectSource(transaction, filter, sites, time, oneOf);
  }

  /** With their values of all dimensions. A value that few calls have is no fact. */
  async read(bucketSeconds: number): Promise<SuspectRows> {
    const { transaction, filter, sites, time, oneOf } = this;
    const open = await readSuspectRows(transaction, { filter, oneOf, bucketSeconds, sites, within: time?.open });
    const kept = time === undefined ? [] : [await time.kept.read(time.counted, oneOf, isSuspectKey)];
    const inBuckets = kept.map(({ keys: own, rows: calls }) => {
      return {
        keys: own,
        rows: calls.map((row) => ({ ...row, at: Math.floor(row.at / bucketSeconds) * bucketSeconds })),
      };
    });
    const { keys, rows } = mergeCalls([open, ...inBuckets], LEAST_CALLS);
    return { facts: keys.map((key) => factOfKey(key)), rows };
  }

  /** How many of them have which problem; null if there are none. */
  async counts(): Promise<ProblemCounts | null> {
    const { transaction, filter, time, oneOf } = this;
    const conditions = sampledConditions(filter, oneOf, time?.open);
    const bits = problemBits(conditions);
    const wanted = `count(*)::integer as calls, ${problemCounts('problems')}`;
    const { rows } = await transaction.query<Counts>(
      `select ${wanted} from (select ${bits} as problems from calls ${conditions.where}) as counted`,
      conditions.values,
    );
    const kept = await time?.kept.select<Counts>(time.counted, oneOf, wanted);
    const parts = [...rows, ...(kept === undefined ? [] : [kept])];
    if (parts.every(({ calls }) => calls === 0)) return null;
    return sums(parts);
  }
}

async function keptTime(
  transaction: Transaction,
  filter: CallFilter & Span,
  sites: readonly SiteSubnet[],
): Promise<KeptTime | undefined> {
  const time = await readCountedTime(transaction, filter, sites);
  return time && { ...time, kept: await KeptCalls.of(transaction, filter) };
}

/** Without a filter they are counted already. */
async function callsIn({ kept, calls, counted }: KeptTime, filter: CallFilter): Promise<number> {
  if (isCounted(filter)) return calls;
  return (await kept.select<{ calls: number }>(counted, 1, 'count(*)::integer as calls'))?.calls ?? 0;
}

function sums(parts: readonly ProblemCounts[]): ProblemCounts {
  const entries = COUNTED_PROBLEMS.map((name) => [name, parts.reduce((sum, part) => sum + part[name], 0)]);
  return Object.fromEntries(entries) as ProblemCounts; // oxlint-disable-line typescript/no-unsafe-type-assertion -- has an entry for each name
}
