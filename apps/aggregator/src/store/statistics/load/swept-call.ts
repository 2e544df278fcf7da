import type { LoadSweep } from './load-sweep.js';

/** Times are milliseconds. */
export interface SweptCall {
  readonly began: number;
  readonly until: number;
  /** Whole numbers of bit/s. */
  readonly streams: readonly {
    readonly from: number;
    readonly until: number;
    readonly average: number;
    readonly maximum: number;
  }[];
}

/** Numbers of series. */
export interface SeriesOfCall {
  readonly call: readonly number[];
  /** Of each stream; undefined: those of its call. */
  readonly streams?: readonly (readonly number[])[];
}

/** Adds the call to each series that it has. A stream lasts no longer than its call. */
export function sweepCall(sweep: LoadSweep, { began, until, streams }: SweptCall, series: SeriesOfCall): void {
  for (const each of series.call) sweep.addCall(each, began, until);
  for (const [n, stream] of streams.entries()) {
    const from = Math.max(stream.from, began);
    const to = Math.max(Math.min(stream.until, until), from);
    for (const each of series.streams?.[n] ?? series.call)
      sweep.addStream(each, from, to, stream.average, stream.maximum);
  }
}

/** The series of a call by the sites of its streams; what has none is of `unknown`. */
export function seriesOfSites(streams: readonly (readonly number[])[], unknown: number | undefined): SeriesOfCall {
  const none = unknown === undefined ? [] : [unknown];
  const ofStreams = streams.map((sites) => (sites.length === 0 ? none : [...new Set(sites)]));
  return { call: ofStreams.length === 0 ? none : [...new Set(ofStreams.flat())], streams: ofStreams };
}
