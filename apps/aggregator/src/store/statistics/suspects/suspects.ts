import { SUSPECT_DIMENSIONS, type SuspectDimension } from '@ringdown/call-catalogue/filters';
import {
  haveOnePerson,
  rankSuspects,
  suspectOrder,
  type Fact,
  type Suspect,
  type SuspectCalls,
} from '@ringdown/quality/suspects';
import type { CallFilter } from '../../../search/filter/call-filter.js';
import type { SiteTable } from '../../../search/sites/site-table.js';
import type { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import type { CountedCall } from '../hours/hour-calls.js';
import { COUNTED_PROBLEMS, hasBit, problemsIn, type CountedProblem, type ProblemCounts } from './call-problems.js';
import { causesIn, peopleIn, readDetails, type DetailsOfCalls } from './suspect-details.js';
import { SuspectSource } from './suspect-source.js';

export interface SuspectQuestion {
  /** With both times. */
  readonly filter: CallFilter & { readonly from: Date; readonly to: Date };
  readonly limit: number;
  /** Facts that can be suspects; others cannot be found by a search within the filter. */
  readonly isSearchable: (fact: Fact<SuspectDimension>) => boolean;
}

export interface FoundSuspect extends Suspect<SuspectDimension> {
  /** Nothing tells the value from one person, who is on nearly all of these calls. */
  readonly onePerson: boolean;
  /** What was wrong with its newest troubled calls, the most frequent first. */
  readonly causes: readonly { readonly cause: string; readonly calls: number }[];
  /** SIP statuses of all its calls that failed by a fault. */
  readonly codes: readonly number[];
  readonly hours: readonly { readonly at: number; readonly calls: number; readonly troubled: number }[];
}

export interface FoundSuspects {
  readonly overall: ProblemCounts;
  /** Of the seven days before; null if there were no calls. */
  readonly usual: ProblemCounts | null;
  /** One call of so many was counted. */
  readonly oneOf: number;
  readonly tested: number;
  readonly bucketSeconds: number;
  readonly suspects: readonly FoundSuspect[];
}

/** More take longer than an operator waits (docs/performance.md), and say the same. */
const MOST_CALLS = 20_000;
const DAY_MS = 86_400_000;
const USUAL_MS = 7 * DAY_MS;
const NEWEST_TROUBLED = 200;
const MOST_CAUSES = 3;
/** Lengths of buckets, seconds: five minutes, a quarter, 1, 3, 6 and 12 hours, a day, three days; or weeks. */
const BUCKETS = [300, 900, 3_600, 10_800, 21_600, 43_200, 86_400, 259_200] as const;
const WEEK = 604_800;
const MOST_BUCKETS = 31;

/** Finds what troubled calls have in common. */
export class Suspects {
  constructor(
    private readonly database: Database,
    private readonly sites: Pick<SiteTable, 'subnets'>,
    private readonly mostCalls = MOST_CALLS,
  ) {}

  find(question: SuspectQuestion): Promise<FoundSuspects> {
    return this.database.readLagging((transaction) => this.findIn(transaction, question));
  }

  private async findIn(transaction: Transaction, question: SuspectQuestion): Promise<FoundSuspects> {
    const { filter, limit } = question;
    const bucketSeconds = bucketLength(filter);
    const source = await SuspectSource.of(transaction, filter, { sites: this.sites.subnets, most: this.mostCalls });
    const { facts, rows } = await source.read(bucketSeconds);
    const { suspects, tested } = rankSuspects(asSuspectCalls(facts, rows, question), { limit });
    const known = suspects.map((suspect) => rows.filter((row) => isKnownOf(row, suspect)));
    const troubled = suspects.map((suspect, n) => (known[n] ?? []).filter((row) => isTroubled(row, suspect)));
    const newest = troubled.map((own) => own.toSorted(newestFirst).slice(0, NEWEST_TROUBLED));
    const keys = [...new Set(newest.flat().map(({ callKey }) => callKey))];
    const details = keys.length === 0 ? new Map() : await readDetails(transaction, filter, keys);
    const found = suspects.map((suspect, n): FoundSuspect => {
      return {
        ...suspect,
        ...described(suspect, newest[n] ?? [], details),
        codes: [...new Set((troubled[n] ?? []).flatMap(({ code }) => code ?? []))].toSorted((a, b) => a - b),
        hours: hoursOf(known[n] ?? [], suspect),
      };
    });
    return {
      overall: countsOf(rows),
      usual: await this.usualCounts(transaction, filter, source.oneOf),
      oneOf: source.oneOf,
      tested,
      bucketSeconds,
      suspects: suspectOrder(found),
    };
  }

  /** As if one of so many was counted, as of the asked time: a week may have so many more calls that fewer of them are. */
  private async usualCounts(
    transaction: Transaction,
    filter: SuspectQuestion['filter'],
    oneOf: number,
  ): Promise<ProblemCounts | null> {
    const from = new Date(Math.max(0, filter.from.getTime() - USUAL_MS));
    const before = { ...filter, from, to: filter.from };
    const source = await SuspectSource.of(transaction, before, { sites: this.sites.subnets, most: this.mostCalls });
    const counts = await source.counts();
    return counts === null || source.oneOf === oneOf
      ? counts
      : counted((name) => Math.round((counts[name] * source.oneOf) / oneOf));
  }
}

/** Calls of the same bucket in the order of their keys, so that the same question has the same answer. */
function newestFirst(a: CountedCall, b: CountedCall): number {
  return b.at - a.at || (a.callKey < b.callKey ? -1 : 1);
}

function asSuspectCalls(
  facts: readonly Fact<SuspectDimension>[],
  rows: readonly CountedCall[],
  { isSearchable }: SuspectQuestion,
): SuspectCalls<SuspectDimension> {
  const searchable = facts.map((fact) => isSearchable(fact));
  const areAll = !searchable.includes(false);
  const calls = rows.map(({ problems, facts: own, known, refusedBy }) => {
    return {
      facts: areAll ? own : own.filter((fact) => searchable[fact]),
      known,
      refusedBy,
      problems: problemsIn(problems),
    };
  });
  return { dimensions: SUSPECT_DIMENSIONS, facts, calls, refusing: 'hop' };
}

type Accused = Pick<Suspect<SuspectDimension>, 'problem' | 'fact' | 'dimension'>;

/** Whether the call has the value, and it is known of it whether it had the problem. */
function isKnownOf(row: CountedCall, { problem, fact }: Accused): boolean {
  return row.facts.includes(fact) && problemsIn(row.problems)[problem] !== undefined;
}

/** Whether a call with the value counts against the suspect: of a server, if it refused the call itself. */
function isTroubled(row: CountedCall, { problem, fact, dimension }: Accused): boolean {
  if (problemsIn(row.problems)[problem] !== true) return false;
  return dimension !== 'hop' || problem !== 'failed' || row.refusedBy === fact;
}

function described(
  { problem }: Suspect<SuspectDimension>,
  calls: readonly CountedCall[],
  details: DetailsOfCalls,
): Pick<FoundSuspect, 'onePerson' | 'causes'> {
  const keys = calls.map(({ callKey }) => details.get(callKey) ?? []);
  const causes = Map.groupBy(
    keys.flatMap((own) => causesIn(own, problem)),
    (cause) => cause,
  );
  const counts = [...causes].map(([cause, each]) => ({ cause, calls: each.length }));
  return {
    onePerson: haveOnePerson(keys.map((own) => peopleIn(own))),
    causes: counts.toSorted((a, b) => b.calls - a.calls || (a.cause < b.cause ? -1 : 1)).slice(0, MOST_CAUSES),
  };
}

/** `calls`: those that have the value. */
function hoursOf(calls: readonly CountedCall[], suspect: Accused): FoundSuspect['hours'] {
  const buckets = [...Map.groupBy(calls, ({ at }) => at)].toSorted(([a], [b]) => a - b);
  return buckets.map(([at, own]) => {
    return { at: at * 1_000, calls: own.length, troubled: own.filter((row) => isTroubled(row, suspect)).length };
  });
}

function bucketLength({ from, to }: SuspectQuestion['filter']): number {
  const seconds = (to.getTime() - from.getTime()) / 1_000;
  const length = BUCKETS.find((each) => seconds / each <= MOST_BUCKETS);
  return length ?? Math.ceil(seconds / MOST_BUCKETS / WEEK) * WEEK;
}

function countsOf(rows: readonly CountedCall[]): ProblemCounts {
  return counted((name) => rows.reduce((sum, { problems }) => sum + Number(hasBit(problems, name)), 0));
}

function counted(of: (name: CountedProblem) => number): ProblemCounts {
  const entries = COUNTED_PROBLEMS.map((name) => [name, of(name)]);
  return Object.fromEntries(entries) as ProblemCounts; // oxlint-disable-line typescript/no-unsafe-type-assertion -- has an entry for each name
}
