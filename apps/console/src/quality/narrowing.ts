import { createContext, use } from 'react';
import type { Filter } from '../search/filter.js';
import { callsBehind, type Mark } from './calls-behind.js';

/** What narrows the calls of the whole view: all of its answers, and the searches behind all of its marks. */
export const Narrowing = createContext<Filter['texts']>({});

/** Where a mark of this view leads. */
export function useCallsBehind(): (mark: Mark) => string {
  const texts = use(Narrowing);
  return (mark) => callsBehind(mark, texts);
}
