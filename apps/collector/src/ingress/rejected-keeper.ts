import type { RejectedRecord, SentBy } from '@ringdown/contracts';
import type { RejectedRecords } from '@ringdown/feed-bus';
import { RateLimitedLog, type Logger } from '@ringdown/observability';
import type { CollectorMetrics } from './collector-metrics.js';
import type { FeedRefusal } from './feed-refusal.js';

/** Enough to see what is wrong with a body. */
const KEPT_BYTES = 16 * 1_024;
/** A flood of bad bodies must not use up the bus. */
const MAX_UNDER_WAY = 32;
/** Nor displace all others from the list of a thousand: this many are kept at once, then `PER_SECOND`. */
const BURST = 200;
const PER_SECOND = 20;

export interface RejectedKeeperOptions {
  readonly rejected: Pick<RejectedRecords, 'store'>;
  readonly metrics: CollectorMetrics;
  readonly logger: Logger;
}

export interface RefusedRequest extends SentBy {
  readonly receivedAt: number;
  readonly remoteAddress: string;
  readonly path: string;
  /** The part that was read. */
  readonly body: Uint8Array;
}

/** Stores rejected bodies for operators, without ever delaying a reply or making it fail. */
export class RejectedKeeper {
  private readonly underWay = new Set<Promise<void>>();
  private readonly line = new RateLimitedLog();
  private room = BURST;
  private roomAt = 0;

  constructor(private readonly options: RejectedKeeperOptions) {}

  keep({ body, ...request }: RefusedRequest, { code, message }: FeedRefusal): void {
    if (this.underWay.size >= MAX_UNDER_WAY || !this.hasRoom()) return this.notKept('too many refused bodies at once');
    const text = Buffer.from(body.subarray(0, KEPT_BYTES)).toString('utf8');
    const keeping = this.store({ ...request, code, reason: message, body: text });
    this.underWay.add(keeping);
    void keeping.finally(() => this.underWay.delete(keeping));
  }

  /** Resolves when everything is stored or has failed. */
  async idle(): Promise<void> {
    await Promise.all(this.underWay);
  }

  private hasRoom(): boolean {
    const now = performance.now();
    this.room = Math.min(BURST, this.room + ((now - this.roomAt) / 1_000) * PER_SECOND);
    this.roomAt = now;
    if (this.room < 1) return false;
    this.room--;
    return true;
  }

  /** Never rejects. */
  private async store(rejected: RejectedRecord): Promise<void> {
    try {
      await this.options.rejected.store(rejected);
    } catch (error) {
      this.notKept(error);
    }
  }

  private notKept(reason: unknown): void {
    const { metrics, logger } = this.options;
    metrics.bodyNotKept();
    this.line.log((leftOut) => logger.warn({ err: reason, leftOut }, 'a refused body could not be kept'));
  }
}
