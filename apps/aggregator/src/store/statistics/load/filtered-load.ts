import { Conditions, type CallFilter } from '../../../search/filter/call-filter.js';
import { SiteTable } from '../../../search/sites/site-table.js';
import type { SiteSubnet } from '../../../search/sites/load-sites.js';
import type { Transaction } from '../../database/transaction.js';
import { readCountedTime, type Span } from '../hours/counted-time.js';
import { KeptCalls, listsIn } from '../hours/kept-calls.js';
import { isOfKeptCalls } from '../hours/kept-conditions.js';
import { readCall } from '../hours/packed-calls.js';
import { PackedReader } from '../hours/packed-numbers.js';
import { readCallRows, callStreams, type CallRow } from './call-rows.js';
import { addOpen, allAttempts, hasMinutes, readOpen, shownValues, trunkLimits } from './kept-load.js';
import { KeptValues, type ValuesOfCall } from './kept-values.js';
import type { LoadQuestion } from './load.js';
import type { LoadRow } from './load-rows.js';
import { LoadSum } from './load-sum.js';
import { MINUTE_MS } from './load-sums.js';
import { LoadSweep } from './load-sweep.js';
import { sweepCall, type SweptCall } from './swept-call.js';
import { isHiddenForm } from '../dimensions.js';

/** Read at a time: a week of a million calls in 13 weeks takes some megabytes. */
const CHUNK_MS = 7 * 24 * 60 * MINUTE_MS;

type Value = string | null;

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
  const load = new FilteredLoad(transaction, await KeptCalls.of(transaction, filter), values, filter);
  const spans: SpanOfCalls[] = [];
  for (const span of time.counted) spans.push({ span, before: await load.callsBefore(span) });
  const open = await readOpen(transaction, sites, time.open, question);
  const attempts = allAttempts(await load.attempts(spans), open);
  const shown = shownValues(attempts, question);
  const limits = by === 'trunk' ? await trunkLimits(transaction) : undefined;
  const sums = new Map(shown.map((value) => [value, new LoadSum(buckets, limits?.get(value))]));
  for (const each of spans) await load.sweep(each, sums, buckets.from.getTime());
  addOpen(sums, open, buckets);
  return [...sums].map(([value, sum]) => ({ value, values: attempts.size, ...sum.row() }));
}

/** A span of counted hours, with the calls that began before it and were in progress when it began. */
interface SpanOfCalls {
  readonly span: Span;
  readonly before: readonly CallRow[];
}

class FilteredLoad {
  constructor(
    private readonly transaction: Transaction,
    private readonly kept: KeptCalls,
    private readonly values: KeptValues,
    private readonly filter: CallFilter,
  ) {}

  callsBefore({ from }: Span): Promise<readonly CallRow[]> {
    return readCallRows(this.transaction, new Conditions(this.filter), { from, to: from });
  }

  /** The calls of each value that began in the spans, also where there are none. */
  async attempts(spans: readonly SpanOfCalls[]): Promise<ReadonlyMap<Value, number>> {
    const attempts = new Map<Value, number>();
    const count = ({ call }: ValuesOfCall, begun: 0 | 1): void => {
      for (const value of call) attempts.set(value, (attempts.get(value) ?? 0) + begun);
    };
    for (const { span, before } of spans) {
      for (const row of before) count(this.values.ofRow(row), 0);
      if (this.values.by !== undefined) await this.forEachKept(span, (_call, values) => count(values, 1));
      else count({ call: [null] }, 0);
    }
    return attempts;
  }

  /** Adds the minutes of the span to the sums. `first`: when these begin, milliseconds since 1970. */
  async sweep({ span, before }: SpanOfCalls, sums: ReadonlyMap<Value, LoadSum>, first: number): Promise<void> {
    const sweep = new LoadSweep(span.from.getTime() - first, span.to.getTime() - first);
    const series = new Map([...sums].map(([value, sum]) => [value, sweep.addSeries(sum)]));
    const seriesOf = (values: readonly Value[]): readonly number[] =>
      values.flatMap((value) => series.get(value) ?? []);
    const add = (call: SweptCall, { call: own, streams }: ValuesOfCall): void =>
      sweepCall(sweep, call, { call: seriesOf(own), ...(streams && { streams: streams.map(seriesOf) }) });
    for (const row of before) add(since(first, { ...row, streams: callStreams(row) }), this.values.ofRow(row));
    await this.forEachKept(
      span,
      (call, values) => add(since(first, call), values),
      (until) => sweep.sweep(until - first),
    );
    sweep.end();
  }

  /** The kept calls that began in the span, in parts of it. `onPart` gets the end of each. */
  private async forEachKept(
    span: Span,
    visit: (call: SweptCall, values: ValuesOfCall) => void,
    onPart?: (until: number) => void,
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
        const { began, until = now, streams } = readCall(loads);
        const call = { began, until, streams: streams.map((each) => ({ ...each, until: each.until ?? until })) };
        visit(call, this.values.ofKept(facts[n] ?? [], { streams }));
      }
      onPart?.(to);
    }
  }
}

function since(first: number, { began, until, streams }: SweptCall): SweptCall {
  return {
    began: began - first,
    until: until - first,
    streams: streams.map((each) => ({ ...each, from: each.from - first, until: each.until - first })),
  };
}
