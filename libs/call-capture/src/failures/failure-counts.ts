import type { RequestFailure } from './request-failures.js';

/** One kind of failure, and how often it was seen. */
export interface CountedFailure extends RequestFailure {
  readonly count: number;
}

/** Counts failed requests by kind. {@link RequestFailures} bounds the number of kinds. */
export class FailureCounts {
  private readonly counts = new Map<string, { readonly failure: RequestFailure; count: number }>();
  private sum = 0;

  get total(): number {
    return this.sum;
  }

  add(failure: RequestFailure): void {
    this.sum++;
    const key = Object.values(failure).join(' ');
    const known = this.counts.get(key);
    if (known) known.count++;
    else this.counts.set(key, { failure, count: 1 });
  }

  /** The most frequent first; at most `limit`. */
  top(limit: number): readonly CountedFailure[] {
    const sorted = [...this.counts.values()].toSorted((a, b) => b.count - a.count);
    return sorted.slice(0, limit).map(({ failure, count }) => ({ ...failure, count }));
  }

  clear(): void {
    this.counts.clear();
    this.sum = 0;
  }
}
