import type { Logger } from '@ringdown/observability';
import { lacksCount, type Delivery } from '../delivery/delivery.js';

export interface CollectorWatchOptions {
  readonly logger: Logger;
  readonly onAnswerWithoutCount: () => void;
}

/** Says in the log when the collector is there again, and when what answers is hardly one. */
export class CollectorWatch {
  private lost = 0;
  private isOddAnswerKnown = false;

  constructor(private readonly options: CollectorWatchOptions) {}

  see(delivery: Delivery): void {
    if (delivery.outcome === 'lost') {
      this.lost++;
      this.turned();
    } else if (delivery.outcome === 'answered') this.answered(delivery);
  }

  /** Records go to another collector. */
  turned(): void {
    this.isOddAnswerKnown = false;
  }

  private answered(delivery: Delivery): void {
    const { lost } = this;
    this.lost = 0;
    if (lost > 0) this.options.logger.info({ lost }, 'the collector answers again');
    if (!lacksCount(delivery)) return;
    this.options.onAnswerWithoutCount();
    if (this.isOddAnswerKnown) return;
    this.isOddAnswerKnown = true;
    this.options.logger.warn('records are answered with 200 but without Count: is this a collector?');
  }
}
