import { createContext, use, type ReactNode } from 'react';
import { Link, useSearch } from 'wouter';
import { queryIn, type Query } from '../api/query-text.js';
import type { SearchParameters } from '../api/answers.js';
import { formatTime } from '../parts/format.js';
import { texts } from '../texts/feeds.js';

const NAMES = ['code', 'frontEnd', 'from', 'to'];

/** What the address narrows rejected records and failed requests to, as links of alerts do. */
const Narrowed = createContext<SearchParameters>({});

export function FeedsQuery({ children }: { readonly children: ReactNode }): ReactNode {
  useSearch();
  // Read from the address itself, because the router decodes it only partly.
  const given = Object.entries(queryIn(location.search)).filter(([name]) => NAMES.includes(name));
  const query = Object.fromEntries(given);
  return <Narrowed value={query}>{children}</Narrowed>;
}

/** Parameters of rejected records, and whether there are any. */
export function useNarrowed(): { readonly query: Query; readonly isNarrowed: boolean } {
  const query = use(Narrowed);
  return { query, isNarrowed: Object.keys(query).length > 0 };
}

/** Tells what is shown, with a way back to everything. */
export function NarrowedNote(): ReactNode {
  const { code = [], frontEnd = [], from, to } = use(Narrowed);
  const times = [from, to].flat().map((at) => (at === undefined ? '…' : timeIn(at)));
  const what = [code, frontEnd, from === undefined && to === undefined ? [] : times.join(' – ')].flat();
  if (what.length === 0) return null;
  return (
    <p>
      {texts.narrowedTo(what.join(', '))} <Link href="/feeds">{texts.showAll}</Link>
    </p>
  );
}

/** As it was written when it is no time: the server says so. */
function timeIn(text: string): string {
  const at = Date.parse(text);
  return Number.isNaN(at) ? text : formatTime(at);
}
