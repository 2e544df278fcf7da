/** How much of one resource each key, like a user or an address, holds at the same time. */
export class KeyedSlots {
  /** An entry is removed with its last slot. */
  private readonly acquired = new Map<string, number>();

  constructor(private readonly max: number) {}

  /** Returns the function that releases the slots, or undefined when the key would have more than the maximum. */
  acquire(key: string, count = 1): (() => void) | undefined {
    const after = (this.acquired.get(key) ?? 0) + count;
    if (after > this.max) return undefined;
    this.acquired.set(key, after);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const left = (this.acquired.get(key) ?? 0) - count;
      if (left > 0) this.acquired.set(key, left);
      else this.acquired.delete(key);
    };
  }
}
