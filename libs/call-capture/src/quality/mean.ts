/** Mean and highest of any number of values. */
export class Mean {
  private sum = 0;
  private count = 0;
  private highest = 0;

  add(value: number): void {
    this.sum += value;
    this.count++;
    this.highest = Math.max(this.highest, value);
  }

  get mean(): number | undefined {
    return this.count === 0 ? undefined : this.sum / this.count;
  }

  get max(): number | undefined {
    return this.count === 0 ? undefined : this.highest;
  }
}
