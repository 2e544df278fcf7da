import { createContext, use } from 'react';
import type { Filter } from '../search/filter.js';
import { callsBehind, type Mark } from './calls-behind.js';

/** The filters of the whole view: of all its queries, and of the searches behind its marks. */
export const Narrowing = createContext<Filter['texts']>({});

/** The link of a mark in this view. */
export function useCallsBehind(): (mark: Mark) => string {
  const texts = use(Narrowing);
  return (mark) => callsBehind(mark, texts);
}
