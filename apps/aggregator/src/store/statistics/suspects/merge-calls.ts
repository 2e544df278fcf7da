import { byValue } from '../hours/by-value.js';
import type { CountedCall, CountedCalls } from '../hours/hour-calls.js';

/** Calls of several sources, with the keys that at least so many of them have, in ascending order. */
export function mergeCalls(sources: readonly CountedCalls[], least: number): CountedCalls {
  const counts = new Map<string, number>();
  for (const { keys, rows } of sources) {
    const ofKeys = keys.map(() => 0);
    for (const { facts } of rows) {
      for (const fact of facts) ofKeys[fact] = (ofKeys[fact] ?? 0) + 1;
    }
    for (const [fact, key] of keys.entries()) counts.set(key, (counts.get(key) ?? 0) + (ofKeys[fact] ?? 0));
  }
  const common = [...counts].flatMap(([key, count]) => (count >= least ? key : [])).toSorted(byValue);
  const numbers = new Map(common.map((key, number) => [key, number]));
  return { keys: common, rows: sources.flatMap((source) => renumbered(source, numbers)) };
}

function renumbered({ keys, rows }: CountedCalls, numbers: ReadonlyMap<string, number>): readonly CountedCall[] {
  const indexes = keys.map((key) => numbers.get(key));
  return rows.map(({ facts, refusedBy, ...row }) => {
    return {
      ...row,
      facts: facts.flatMap((fact) => indexes[fact] ?? []),
      refusedBy: refusedBy === undefined ? undefined : indexes[refusedBy],
    };
  });
}
