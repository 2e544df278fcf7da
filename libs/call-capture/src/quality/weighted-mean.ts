/** The mean of values that weigh differently, and the highest one. */
export class WeightedMean {
  private sum = 0;
  private weights = 0;
  private highest: number | undefined;

  add(value: number | undefined, weight: number): void {
    if (value === undefined) return;
    this.sum += value * weight;
    this.weights += weight;
    this.highest = Math.max(this.highest ?? value, value);
  }

  get mean(): number | undefined {
    return this.weights === 0 ? undefined : this.sum / this.weights;
  }

  get max(): number | undefined {
    return this.highest;
  }

  get weight(): number {
    return this.weights;
  }
}
