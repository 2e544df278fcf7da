import { byValue } from '../hours/by-value.js';
import type { CountedCall, CountedCalls } from '../hours/hour-calls.js';

const RARE = -1;

/** Calls of several sources, with the keys that at least so many of them have, in ascending order. */
export function mergeCalls(sources: readonly CountedCalls[], least: number): CountedCalls {
  const counts = new Map<string, number>();
  for (const { keys, rows } of sources) {
    const ofKeys = new Int32Array(keys.length);
    for (const { facts } of rows) for (const fact of facts) ofKeys[fact] = (ofKeys[fact] ?? 0) + 1;
    for (const [fact, key] of keys.entries()) counts.set(key, (counts.get(key) ?? 0) + (ofKeys[fact] ?? 0));
  }
  const common = [...counts].flatMap(([key, count]) => (count >= least ? key : [])).toSorted(byValue);
  const numbers = new Map(common.map((key, number) => [key, number]));
  return { keys: common, rows: sources.flatMap((source) => renumbered(source, numbers)) };
}

/** Loops, because there are hundreds of thousands of facts. */
function renumbered({ keys, rows }: CountedCalls, numbers: ReadonlyMap<string, number>): readonly CountedCall[] {
  const indexes = Int32Array.from(keys, (key) => numbers.get(key) ?? RARE);
  const indexOf = (fact: number): number => indexes[fact] ?? RARE;
  return rows.map(({ callKey, at, problems, known, facts, code, refusedBy }) => {
    const common: number[] = [];
    for (const fact of facts) if (indexOf(fact) !== RARE) common.push(indexOf(fact));
    const refusing = refusedBy === undefined ? RARE : indexOf(refusedBy);
    return { callKey, at, problems, known, facts: common, code, refusedBy: refusing === RARE ? undefined : refusing };
  });
}
