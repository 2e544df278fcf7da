import { keptList } from './kept.js';

interface Entry<T> {
  readonly key: string;
  readonly value: T;
}

const NONE: readonly Entry<never>[] = [];

/**
 * A map for the few entries that a call has: it is searched from the beginning, and takes no memory until it has an entry, where a
 * `Map` takes as much as ten fields. Bounded: the oldest entry is dropped.
 */
export class SmallMap<T> {
  private entries: readonly Entry<T>[] = NONE;

  constructor(private readonly limit: number) {}

  get size(): number {
    return this.entries.length;
  }

  has(key: string): boolean {
    return this.find(key) !== undefined;
  }

  get(key: string): T | undefined {
    return this.find(key)?.value;
  }

  /** A known key keeps its place. */
  set(key: string, value: T): void {
    const entry = { key, value };
    if (this.has(key)) this.entries = this.entries.map((known) => (known.key === key ? entry : known));
    else this.entries = keptList([...this.entries.slice(Math.max(0, this.size + 1 - this.limit)), entry]);
  }

  delete(key: string): void {
    if (this.has(key)) this.entries = this.entries.filter((entry) => entry.key !== key);
  }

  clear(): void {
    this.entries = NONE;
  }

  values(): readonly T[] {
    return this.entries.map(({ value }) => value);
  }

  private find(key: string): Entry<T> | undefined {
    return this.entries.find((entry) => entry.key === key);
  }
}
