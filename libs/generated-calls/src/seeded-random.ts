/** Pseudo-random numbers: the same seed gives the same sequence (mulberry32). */
export class SeededRandom {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** In [0, 1). */
  fraction(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  between(from: number, to: number): number {
    return from + this.fraction() * (to - from);
  }

  /** A whole number in [from, to], both included. */
  whole(from: number, to: number): number {
    return Math.floor(this.between(from, to + 1));
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.whole(0, list.length - 1)] ?? list[0];
  }

  /** Two different ones. */
  pair<T>(list: readonly [T, T, ...T[]]): readonly [T, T] {
    const first = this.whole(0, list.length - 1);
    const second = (first + this.whole(1, list.length - 1)) % list.length;
    return [list[first] ?? list[0], list[second] ?? list[1]];
  }

  hex(digits: number): string {
    return Array.from({ length: digits }, () => this.whole(0, 15).toString(16)).join('');
  }
}
