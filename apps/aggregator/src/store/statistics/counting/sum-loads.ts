import { LOAD_DIMENSIONS, type LoadDimension } from '@ringdown/call-catalogue/filters';
import type { SiteLookup } from '../../../search/sites/site-table.js';
import { HOUR_MS, type Span } from '../hours/counted-time.js';
import type { HourLoad } from '../hours/hour-loads.js';
import type { MinuteLoad } from '../hours/packed-minutes.js';
import { remembered } from './remembered.js';
import { callStreams, valuesOfCall, type CallRow, type CallStream } from '../load/call-rows.js';
import { LoadSweep } from '../load/load-sweep.js';
import { seriesOfSites, sweepCall, type SeriesOfCall } from '../load/swept-call.js';

/** Of all together, and of each dimension. */
export const LOADS: readonly string[] = ['', ...LOAD_DIMENSIONS];
/** Senders may invent any number of values: the load of a dimension that has more of them is not kept. */
const MOST_VALUES = 500;
const MINUTES_OF_HOUR = 60;

/** The load of a span of hours by dimension, of the calls in progress in it, in one pass: it is kept of all dimensions. */
export function sumLoads(
  rows: readonly CallRow[],
  span: Span,
  sites: SiteLookup,
): ReadonlyMap<string, readonly HourLoad[]> {
  const first = span.from.getTime();
  const sweep = new LoadSweep({ from: first, to: span.to.getTime() });
  let series = 0;
  const values = new Map(LOADS.map((name) => [name, new CountedValues(sweep, () => series++)]));
  const siteOf = remembered((address: string) => sites.siteOf(address));
  for (const row of rows) {
    const streams = callStreams(row);
    const call = { ...row, streams };
    for (const [name, counted] of values) sweepCall(sweep, call, seriesOf(name, counted, row, streams, siteOf));
  }
  sweep.end();
  const kept = [...values].filter(([, each]) => each.size <= MOST_VALUES);
  return new Map(kept.map(([name, each]) => [name, each.hours(first)]));
}

function seriesOf(
  name: string,
  values: CountedValues,
  row: CallRow,
  streams: readonly CallStream[],
  siteOf: (address: string) => string | undefined,
): SeriesOfCall {
  if (name === '') return { call: [values.seriesOf(null)] };
  if (name === 'site') {
    const sites = streams.map(({ addresses }) => addresses.flatMap((address) => siteOf(address) ?? []));
    const series = sites.map((each) => each.map((site) => values.seriesOf(site)));
    const hasUnknown = series.length === 0 || series.some((each) => each.length === 0);
    return seriesOfSites(series, hasUnknown ? values.seriesOf(null) : undefined);
  }
  const by = name as Exclude<LoadDimension, 'site'>; // oxlint-disable-line typescript/no-unsafe-type-assertion -- all names are those of LOADS
  return { call: valuesOfCall(by, row).map((value) => values.seriesOf(value)) };
}

/** The values of a dimension, in the order in which they are found. */
class CountedValues {
  private readonly found = new Map<string | null, { readonly series: number; readonly minutes: MinuteLoad[] }>();

  constructor(
    private readonly sweep: LoadSweep,
    private readonly nextSeries: () => number,
  ) {}

  get size(): number {
    return this.found.size;
  }

  seriesOf(value: string | null): number {
    const known = this.found.get(value);
    if (known !== undefined) return known.series;
    const minutes: MinuteLoad[] = [];
    const series = this.nextSeries();
    this.sweep.addSeries(series, { add: (minute, load) => minutes.push({ minute, ...load }) });
    this.found.set(value, { series, minutes });
    return series;
  }

  hours(first: number): readonly HourLoad[] {
    return [...this.found].flatMap(([value, { minutes }]) => {
      const byHour = Map.groupBy(minutes, ({ minute }) => Math.floor(minute / MINUTES_OF_HOUR));
      return [...byHour].map(([number, ofHour]) => ({
        hour: first + number * HOUR_MS,
        value,
        attempts: ofHour.reduce((sum, { begun }) => sum + begun, 0),
        minutes: ofHour.map((load) => ({ ...load, minute: load.minute % MINUTES_OF_HOUR })),
      }));
    });
  }
}
