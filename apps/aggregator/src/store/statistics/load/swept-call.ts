import type { StreamLoad } from '../hours/packed-calls.js';
import type { LoadSweep } from './load-sweep.js';

/** Times are milliseconds since 1970. */
export interface SweptCall {
  readonly began: number;
  readonly until: number;
  readonly streams: readonly Omit<StreamLoad, 'sites'>[];
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
    const to = Math.max(Math.min(stream.until ?? until, until), from);
    for (const each of series.streams?.[n] ?? series.call)
      sweep.addStream(each, from, to, stream.average, stream.maximum);
  }
}

/** The series of a call by the sites of its streams; what has none is of `unknown`. */
export function seriesOfSites(streams: readonly (readonly number[])[], unknown: number | undefined): SeriesOfCall {
  const none = unknown === undefined ? [] : [unknown];
  const ofStreams = streams.map((sites) => (sites.length === 0 ? none : distinct(sites)));
  return { call: ofStreams.length === 0 ? none : distinct(ofStreams.flat()), streams: ofStreams };
}

/** Without a set, which takes most of the time for so few. */
function distinct(numbers: readonly number[]): readonly number[] {
  return numbers.filter((number, at) => numbers.indexOf(number) === at);
}
