import type { SentBy } from '@ringdown/contracts/records';
import type { RejectedRecord } from '@ringdown/contracts/set-aside';
import type { RejectedRecords } from '@ringdown/feed-bus';
import { RateLimitedLog, type Logger } from '@ringdown/observability';
import type { CollectorMetrics } from './collector-metrics.js';
import type { FeedRefusal } from './feed-refusal.js';

/** Enough to see what is wrong with a body. */
const STORED_BYTES = 16 * 1_024;
/** A flood of bad bodies must not use up the bus. */
const MAX_PENDING = 32;
/** Nor displace all others from the list of a thousand: this many are kept at once, then `PER_SECOND`. */
const BURST = 200;
const PER_SECOND = 20;

export interface RejectedBodiesOptions {
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
export class RejectedBodies {
  private readonly pending = new Set<Promise<void>>();
  private readonly line = new RateLimitedLog();
  private allowance = BURST;
  private allowanceAt = 0;

  constructor(private readonly options: RejectedBodiesOptions) {}

  store({ body, ...request }: RefusedRequest, { code, message }: FeedRefusal): void {
    if (this.pending.size >= MAX_PENDING || !this.isWithinRate())
      return this.notStored('too many rejected bodies at the same time');
    const text = Buffer.from(body.subarray(0, STORED_BYTES)).toString('utf8');
    const storing = this.write({ ...request, code, reason: message, body: text });
    this.pending.add(storing);
    void storing.finally(() => this.pending.delete(storing));
  }

  /** Resolves when everything is stored or has failed. */
  async idle(): Promise<void> {
    await Promise.all(this.pending);
  }

  private isWithinRate(): boolean {
    const now = performance.now();
    this.allowance = Math.min(BURST, this.allowance + ((now - this.allowanceAt) / 1_000) * PER_SECOND);
    this.allowanceAt = now;
    if (this.allowance < 1) return false;
    this.allowance--;
    return true;
  }

  /** Never rejects. */
  private async write(rejected: RejectedRecord): Promise<void> {
    try {
      await this.options.rejected.store(rejected);
    } catch (error) {
      this.notStored(error);
    }
  }

  private notStored(reason: unknown): void {
    const { metrics, logger } = this.options;
    metrics.bodyNotStored();
    this.line.log((leftOut) => logger.warn({ err: reason, leftOut }, 'a rejected body could not be stored'));
  }
}

/** Everything that an operator can learn from: not our own errors, nor requests that were not meant for a collector. */
export function isWorthKeeping({ code }: FeedRefusal): boolean {
  return !['address-not-allowed', 'method-not-allowed', 'unavailable', 'internal'].includes(code);
}
