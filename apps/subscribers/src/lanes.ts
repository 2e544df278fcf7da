/** Work in order within a lane, side by side between lanes. What has the same number is in the same lane. */
export class Lanes {
  private readonly last: Promise<unknown>[];

  constructor(private readonly count: number) {
    this.last = Array.from({ length: count }, () => Promise.resolve());
  }

  run<T>(number: number, work: () => Promise<T>): Promise<T> {
    const lane = number % this.count;
    const turn = (this.last[lane] ?? Promise.resolve()).then(work);
    // A failed turn is its caller's matter; the next one comes all the same.
    this.last[lane] = turn.catch(() => undefined);
    return turn;
  }
}
