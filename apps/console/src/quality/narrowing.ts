import { createContext, use } from 'react';
import type { CallState } from '../api/answers.js';
import { NO_CRITERIA, type Criteria } from '../search/filter.js';
import { NO_COMPARISON, type Comparison } from './comparison/comparison.js';
import { callsBehind, statesLeft, type Mark } from './calls-behind.js';
import type { TimeBucket } from './timeframe.js';

/** The filters of the whole view: of all its queries, and of the searches behind its marks. */
export const Narrowing = createContext<Criteria>(NO_CRITERIA);

/** What charts over time show beside each other. */
export const ShownComparison = createContext<Comparison>(NO_COMPARISON);

/** Selects a shorter period of the view. */
export const Zoom = createContext<(time: TimeBucket) => void>(() => undefined);

/** The link of a mark in this view. */
export function useCallsBehind(): (mark: Mark) => string {
  const criteria = use(Narrowing);
  return (mark) => callsBehind(mark, criteria);
}

/** Those of these states that the filters of the view leave. */
export function useStates(states: readonly CallState[]): readonly CallState[] {
  return statesLeft(states, use(Narrowing).states);
}
