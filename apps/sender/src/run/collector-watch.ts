import type { Logger } from '@ringdown/observability';
import { lacksCount, type Delivery } from '@ringdown/feed-client';

export interface CollectorWatchOptions {
  readonly logger: Logger;
  readonly onAnswerWithoutCount: () => void;
}

/** Logs when the collector answers again, and when the answers are not like those of a collector. */
export class CollectorWatch {
  private lost = 0;
  private hasWarned = false;

  constructor(private readonly options: CollectorWatchOptions) {}

  onDelivery(delivery: Delivery): void {
    if (delivery.outcome === 'lost') {
      this.lost++;
      this.reset();
    } else if (delivery.outcome === 'answered') this.onAnswer(delivery);
  }

  /** Warn again, because records are sent to another collector now. */
  reset(): void {
    this.hasWarned = false;
  }

  private onAnswer(delivery: Delivery): void {
    const { lost } = this;
    this.lost = 0;
    if (lost > 0) this.options.logger.info({ lost }, 'the collector answers again');
    if (!lacksCount(delivery)) return;
    this.options.onAnswerWithoutCount();
    if (this.hasWarned) return;
    this.hasWarned = true;
    this.options.logger.warn('records are answered with 200 but without Count: is this a collector?');
  }
}
