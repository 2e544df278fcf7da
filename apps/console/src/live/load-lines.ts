import type { LoadItem, LoadStatistics } from '../api/answers.js';

/** Filters with several values that the load can be divided by; the search takes one site only. */
const DIVIDED = ['frontEnd', 'trunk', 'pool', 'relay', 'tenantId'] as const;
/** More lines could not be distinguished. */
const MOST = 6;

export interface LoadDivision {
  readonly by: (typeof DIVIDED)[number];
  readonly values: readonly string[];
}

/** The first filter with two to six values: each has a line of its own. `filters`: as in the address. */
export function loadDivision(filters: string): LoadDivision | undefined {
  const given = new URLSearchParams(filters);
  const all = DIVIDED.map((by) => ({ by, values: [...new Set(given.getAll(by))] }));
  return all.find(({ values }) => values.length > 1 && values.length <= MOST);
}

export interface LoadLine {
  /** Undefined: all calls together. */
  readonly value: string | undefined;
  readonly values: readonly number[];
}

export interface LoadLines {
  /** When each minute begins, in milliseconds since 1970. */
  readonly begins: readonly number[];
  readonly lines: readonly LoadLine[];
}

/** The load of each minute, divided as the answer is; zero where it has none. */
export function loadLines(
  { from, to, bucketSeconds, by, items }: LoadStatistics,
  division: LoadDivision | undefined,
  loadOf: (item: LoadItem) => number,
): LoadLines {
  if (division === undefined || by !== division.by) {
    return { begins: items.map(({ at }) => Date.parse(at)), lines: [{ value: undefined, values: items.map(loadOf) }] };
  }
  const [start, step] = [Date.parse(from), bucketSeconds * 1_000];
  const begins = Array.from({ length: Math.ceil((Date.parse(to) - start) / step) }, (_, index) => start + index * step);
  const lines = division.values.map((value) => {
    const own = items.filter((item) => item.value?.toLowerCase() === value.toLowerCase());
    const loads = new Map(own.map((item) => [Date.parse(item.at), loadOf(item)]));
    return { value, values: begins.map((at) => loads.get(at) ?? 0) };
  });
  return { begins, lines };
}
