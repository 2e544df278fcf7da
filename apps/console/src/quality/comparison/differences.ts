import {
  differenceInterval,
  quantileFor,
  shareOf,
  USUAL_DIFFERENCE,
  type Counted,
} from '../../parts/share-intervals.js';

/** How a line differs from all others together, beyond chance and usual differences. */
export interface Difference {
  readonly is: 'more' | 'fewer';
  /** By which of its counts. */
  readonly at: number;
  readonly share: number;
  readonly others: number;
}

/**
 * For each line what differs most, of several counts of what is bad; undefined if nothing does. Only what differs by more than three
 * percentage points with 95 %, all intervals together (ADR 0105).
 */
export function differences(lines: readonly (readonly Counted[])[]): readonly (Difference | undefined)[] {
  const counts = Math.max(0, ...lines.map((line) => line.length));
  const z = quantileFor(lines.length * counts);
  return lines.map((line, index) => {
    const others = lines.filter((_, other) => other !== index);
    const all = line.map((own, at): Found => {
      const rest = sum(others.flatMap((other) => other[at] ?? []));
      const { low, high } = differenceInterval(own, rest, z);
      // At least so much more, or so much fewer.
      const [more, fewer] = own.all === 0 || rest.all === 0 ? [0, 0] : [low, -high];
      const is = more >= fewer ? 'more' : 'fewer';
      return { is, at, share: shareOf(own), others: shareOf(rest), size: Math.max(more, fewer) };
    });
    const [most] = all.toSorted((a, b) => b.size - a.size);
    if (most === undefined || most.size <= USUAL_DIFFERENCE) return undefined;
    const { size: _size, ...difference } = most;
    return difference;
  });
}

interface Found extends Difference {
  readonly size: number;
}

function sum(counts: readonly Counted[]): Counted {
  return counts.reduce((total, { all, some }) => ({ all: total.all + all, some: total.some + some }), {
    all: 0,
    some: 0,
  });
}
