import type { ReactNode } from 'react';
import { Link, useSearch } from 'wouter';
import type { SearchParameters } from '../api/answers.js';
import { queryIn } from '../api/query-text.js';
import { formatTime } from '../parts/format.js';
import { texts } from '../texts/feeds.js';

const NAMES = ['code', 'frontEnd', 'from', 'to'];

export interface Narrowed {
  /** Parameters of rejected records. */
  readonly query: SearchParameters;
  /** Whether there are any. */
  readonly isNarrowed: boolean;
}

/** What a page of one feed narrows them to. */
export function feedNarrowed(frontEnd: string): Narrowed {
  return { query: { frontEnd }, isNarrowed: true };
}

/** What the address narrows rejected records and failed requests to, as links of alerts do. */
export function useNarrowed(): Narrowed {
  useSearch();
  // Read from the address itself, because the router decodes it only partly.
  const given = Object.entries(queryIn(location.search)).filter(([name]) => NAMES.includes(name));
  return { query: Object.fromEntries(given), isNarrowed: given.length > 0 };
}

/** Tells what is shown, with a way back to everything. */
export function NarrowedNote(): ReactNode {
  const { code = [], frontEnd = [], from, to } = useNarrowed().query;
  const times = [from, to].flat().map((at) => (at === undefined ? '…' : timeIn(at)));
  const what = [code, frontEnd, from === undefined && to === undefined ? [] : times.join(' – ')].flat();
  if (what.length === 0) return null;
  return (
    <p>
      {texts.narrowedTo(what.join(', '))} <Link href="/feeds">{texts.showAll}</Link>
    </p>
  );
}

/** The text itself if it is not a time: the server reports it. */
function timeIn(text: string): string {
  const at = Date.parse(text);
  return Number.isNaN(at) ? text : formatTime(at);
}
