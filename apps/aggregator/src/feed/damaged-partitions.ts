import { errorReason } from '@ringdown/errors';
import { isDamage } from '../store/database/damaged-files.js';

/** What is done with the database for the records of a partition; one may meet a damaged file that others do not need. */
type Step = 'load position' | 'before reading' | 'store';

/** Partitions of which nothing can be stored because a file of the database is damaged: their records wait on the bus. */
export class DamagedPartitions {
  private readonly reasons = new Map<number, Map<Step, string>>();

  /** Settles as `work` does. */
  async note<T>(partition: number, step: Step, work: Promise<T>): Promise<T> {
    try {
      const result = await work;
      this.reasons.get(partition)?.delete(step);
      return result;
    } catch (error) {
      if (isDamage(error)) this.stepsOf(partition).set(step, errorReason(error));
      throw error;
    }
  }

  /** This replica does not read it any more. */
  end(partition: number): void {
    this.reasons.delete(partition);
  }

  /** A health check. */
  assertNone(): void {
    const damaged = [...this.reasons.values()].flatMap((steps) => [...steps.values()].slice(0, 1));
    const [reason] = damaged;
    if (reason === undefined) return;
    const partitions = damaged.length === 1 ? '1 partition' : `${damaged.length} partitions`;
    throw new Error(`records of ${partitions} cannot be stored: ${reason}`);
  }

  private stepsOf(partition: number): Map<Step, string> {
    const steps = this.reasons.get(partition) ?? new Map<Step, string>();
    this.reasons.set(partition, steps);
    return steps;
  }
}
