import { isInProgress, VERDICTS } from '../api/calls.js';
import { texts } from '../texts/live.js';
import { texts as partsTexts } from '../texts/parts.js';
import { compareRows, type CallRow } from '../parts/call-row.js';
import type { LiveGroup, LiveSort } from './live-query.js';

/** One line of the list: the title of a group, or a call. */
export type LiveItem =
  | { readonly kind: 'title'; readonly key: string; readonly title: string; readonly count: number }
  | { readonly kind: 'call'; readonly key: string; readonly row: CallRow };

/**
 * The rows as lines in the selected order and groups; calls that are over come last, under a title of their own. A call
 * of two front ends or sites is listed once, in the group of the first: the caller's site if it is known.
 * @param rows - sorted by {@link compareRows}
 */
export function arrangeRows(rows: readonly CallRow[], sort: LiveSort, group: LiveGroup): readonly LiveItem[] {
  const sorted = sort === 'severity' ? rows : rows.toSorted(sort === 'newest' ? newestFirst : oldestFirst);
  const running = sorted.filter(({ state }) => isInProgress(state));
  const over = sorted.filter(({ state }) => !isInProgress(state));
  const groups = group === 'none' ? [] : rowGroups(running, group);
  return [
    ...(group === 'none' ? running.map(liveCallItem) : groups.flatMap(([title, members]) => titled(title, members))),
    ...(over.length === 0 ? [] : titled(texts.endedRecently, over)),
  ];
}

function rowGroups(rows: readonly CallRow[], group: Exclude<LiveGroup, 'none'>): [title: string, CallRow[]][] {
  if (group === 'verdict') {
    const groups = Map.groupBy(rows, ({ verdict }) => verdict);
    return VERDICTS.flatMap((verdict) => withRows(partsTexts.verdicts[verdict], groups.get(verdict)));
  }
  const unknown = texts.unknown[group];
  const groups = Map.groupBy(rows, ({ frontEnds, sites }) => (group === 'site' ? sites : frontEnds)[0] ?? unknown);
  const isLast = (name: string): number => Number(name === unknown);
  return [...groups].toSorted(([a], [b]) => isLast(a) - isLast(b) || (a < b ? -1 : Number(a > b)));
}

function withRows(title: string, rows: CallRow[] | undefined): [string, CallRow[]][] {
  return rows === undefined ? [] : [[title, rows]];
}

function titled(title: string, rows: readonly CallRow[]): readonly LiveItem[] {
  return [{ kind: 'title', key: `title ${title}`, title, count: rows.length }, ...rows.map(liveCallItem)];
}

function liveCallItem(row: CallRow): LiveItem {
  return { kind: 'call', key: row.callId, row };
}

function newestFirst(a: CallRow, b: CallRow): number {
  return b.beganAt - a.beganAt || compareRows(a, b);
}

function oldestFirst(a: CallRow, b: CallRow): number {
  return a.beganAt - b.beganAt || compareRows(a, b);
}
