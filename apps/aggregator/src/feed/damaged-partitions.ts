import { reasonOf } from '@ringdown/errors';
import { isDamage } from '../store/damaged-files.js';

/** Partitions of which nothing can be stored because a file of the database is damaged: their records wait on the bus. */
export class DamagedPartitions {
  private readonly reasons = new Map<number, string>();

  /** Settles as `stored` does. */
  async note(partition: number, stored: Promise<void>): Promise<void> {
    try {
      await stored;
      this.reasons.delete(partition);
    } catch (error) {
      if (isDamage(error)) this.reasons.set(partition, reasonOf(error));
      throw error;
    }
  }

  /** This replica does not read it any more. */
  end(partition: number): void {
    this.reasons.delete(partition);
  }

  /** A health check. */
  assertNone(): void {
    const [reason] = this.reasons.values();
    if (reason === undefined) return;
    const partitions = this.reasons.size === 1 ? '1 partition' : `${this.reasons.size} partitions`;
    throw new Error(`records of ${partitions} cannot be stored: ${reason}`);
  }
}
