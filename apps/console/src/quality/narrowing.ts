import { createContext, use } from 'react';
import type { Filter } from '../search/filter.js';
import { callsBehind, type Mark } from './calls-behind.js';
import type { TimeBucket } from './timeframe.js';

/** The filters of the whole view: of all its queries, and of the searches behind its marks. */
export const Narrowing = createContext<Filter['texts']>({});

/** Whether charts show the period before as well. */
export const Comparison = createContext(false);

/** Selects a shorter period of the view. */
export const Zoom = createContext<(time: TimeBucket) => void>(() => undefined);

/** Handles a selection of buckets in a chart. */
export function useZoom(buckets: readonly { readonly time: TimeBucket }[]): (first: number, last: number) => void {
  const zoom = use(Zoom);
  return (first, last) => {
    const [begin, end] = [buckets[first], buckets[last]];
    if (begin !== undefined && end !== undefined) zoom({ from: begin.time.from, to: end.time.to });
  };
}

/** The link of a mark in this view. */
export function useCallsBehind(): (mark: Mark) => string {
  const texts = use(Narrowing);
  return (mark) => callsBehind(mark, texts);
}
