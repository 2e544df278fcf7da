import { Conditions } from '../../../search/filter/call-filter.js';
import { SiteTable } from '../../../search/sites/site-table.js';
import type { SiteSubnet } from '../../../search/sites/load-sites.js';
import type { Transaction } from '../../database/transaction.js';
import { readCountedTime, type Span } from '../hours/counted-time.js';
import { KeptCalls, listsIn } from '../hours/kept-calls.js';
import { isOfKeptCalls } from '../hours/kept-conditions.js';
import { readCall } from '../hours/packed-calls.js';
import { PackedReader } from '../hours/packed-numbers.js';
import { readCallRows, callStreams, type CallRow } from './call-rows.js';
import { addOpen, allAttempts, hasMinutes, readOpen, shownValues, limitsOf } from './kept-load.js';
import { KeptValues } from './kept-values.js';
import type { LoadQuestion } from './load.js';
import type { LoadRow } from './load-rows.js';
import { LoadSum } from './load-sum.js';
import { MINUTE_MS } from './load-sums.js';
import { LoadSweep } from './load-sweep.js';
import { sweepCall, type SeriesOfCall, type SweptCall } from './swept-call.js';
import { isHiddenForm } from '../dimensions.js';

/** Read at a time: as much as is swept at a time. */
const CHUNK_MS = 24 * 60 * MINUTE_MS;

/** Limits the memory: ninety days of a value are two megabytes. More values are counted before the most frequent ones are added up. */
const MOST_AT_ONCE = 32;

type Value = string | null;
type Sums = ReadonlyMap<Value, LoadSum>;

/**
 * The same rows as `loadRows`, from the calls that are kept of whole hours, and from the calls themselves for other times. Undefined when the
 * filter asks for what is not kept.
 */
export async function filteredLoadRows(
  transaction: Transaction,
  sites: readonly SiteSubnet[],
  question: LoadQuestion,
): Promise<readonly LoadRow[] | undefined> {
  const { buckets, by } = question;
  const filter = { ...question.filter, from: undefined, to: undefined };
  if (!hasMinutes(buckets) || !isOfKeptCalls(filter) || question.only?.some(isHiddenForm) === true) return undefined;
  const time = await readCountedTime(transaction, buckets, sites);
  if (time === undefined) return undefined;
  const values = await KeptValues.of(transaction, by, new SiteTable(sites));
  const load = new FilteredLoad(await KeptCalls.of(transaction, filter), values, buckets.from.getTime());
  const limits = await limitsOf(transaction, by);
  const newSum = (value: Value): LoadSum => new LoadSum(buckets, limits.get(value));
  for (const span of time.counted)
    load.addSpan(span, await readCallRows(transaction, new Conditions(filter), { from: span.from, to: span.from }));
  const areFew = values.names.length <= MOST_AT_ONCE;
  const all: Sums = new Map(areFew ? values.names.map((value) => [value, newSum(value)]) : []);
  const open = await readOpen(transaction, sites, time.open, question);
  const attempts = allAttempts(await load.add(all), open);
  const sums: Sums = new Map(shownValues(attempts, question).map((value) => [value, all.get(value) ?? newSum(value)]));
  if (!areFew) await load.add(sums);
  addOpen(sums, open, buckets);
  return [...sums].map(([value, sum]) => ({ value, values: attempts.size, ...sum.row() }));
}

/** A span of counted hours, with the calls that began before it and were in progress when it began. */
interface SpanOfCalls {
  readonly span: Span;
  readonly before: readonly CountedRow[];
}

interface CountedRow {
  readonly call: SweptCall;
  readonly series: SeriesOfCall;
}

class FilteredLoad {
  private readonly spans: SpanOfCalls[] = [];

  /** `first`: when the minutes of sums begin, milliseconds since 1970. */
  constructor(
    private readonly kept: KeptCalls,
    private readonly values: KeptValues,
    private readonly first: number,
  ) {}

  addSpan(span: Span, rows: readonly CallRow[]): void {
    const before = rows.map((row) => ({ call: { ...row, streams: callStreams(row) }, series: this.values.ofRow(row) }));
    this.spans.push({ span, before });
  }

  /** Adds the minutes of all spans to the sums. Returns how many calls of each value began in the spans: 0 if all began before. */
  async add(sums: Sums): Promise<ReadonlyMap<Value, number>> {
    const attempts = new Map<number, number>();
    const count = ({ call }: SeriesOfCall, begun: 0 | 1): void => {
      for (const number of call) attempts.set(number, (attempts.get(number) ?? 0) + begun);
    };
    if (this.values.by === undefined) attempts.set(0, 0);
    for (const { span, before } of this.spans) {
      const sweep = new LoadSweep({ from: span.from.getTime(), to: span.to.getTime() }, this.first);
      for (const [number, name] of this.values.names.entries()) {
        const sum = sums.get(name);
        if (sum !== undefined) sweep.addSeries(number, sum);
      }
      for (const { call, series } of before) {
        count(series, 0);
        sweepCall(sweep, call, series);
      }
      await this.forEachKept(span, sweep, (call, series) => {
        count(series, 1);
        sweepCall(sweep, call, series);
      });
      sweep.end();
    }
    return new Map([...attempts].map(([number, calls]) => [this.values.names[number] ?? null, calls]));
  }

  /** The kept calls that began in the span, a part of it swept after the other. */
  private async forEachKept(
    span: Span,
    sweep: LoadSweep,
    visit: (call: SweptCall, series: SeriesOfCall) => void,
  ): Promise<void> {
    const now = Date.now();
    for (let from = span.from.getTime(); from < span.to.getTime(); from += CHUNK_MS) {
      const to = Math.min(from + CHUNK_MS, span.to.getTime());
      const part = await this.kept.select<{ loads: string | null; facts: string | null }>(
        [{ from: new Date(from), to: new Date(to) }],
        1,
        `encode(string_agg(load, ''), 'base64') as loads, ${this.values.needFacts ? `string_agg(facts, '')` : 'null'} as facts`,
      );
      const loads = new PackedReader(Buffer.from(part?.loads ?? '', 'base64'));
      const facts = listsIn(part?.facts ?? '');
      for (let n = 0; !loads.hasEnded; n++) {
        const call = readCall(loads, now);
        visit(call, this.values.ofKept(facts[n] ?? [], call));
      }
      sweep.sweep(to);
    }
  }
}
