import type { Logger } from '@ringdown/observability';
import { splitBatch, writeBatchReply } from '@ringdown/xml-schemas';
import { RECORD_BATCH, type RejectedOfBatch } from '@ringdown/xml-schemas/fields';
import type { IncomingMessage } from 'node:http';
import type { CollectorMetrics } from './collector-metrics.js';
import type { FeedInlet } from './feed-inlet.js';
import type { FeedRequest } from './feed-request.js';
import { FeedRefusal, refusalFor, type FeedAnswer } from './feed-refusal.js';
import { isWorthKeeping, type RejectedBodies } from './rejected-bodies.js';

export interface BatchInletOptions {
  readonly inlet: Pick<FeedInlet, 'receiveRecord'>;
  readonly rejectedBodies: Pick<RejectedBodies, 'store'>;
  readonly metrics: Pick<CollectorMetrics, 'refuse'>;
  readonly logger: Logger;
}

interface BatchRequest extends Omit<FeedRequest, 'recordsUrl'> {
  readonly path: string;
}

/** Whether a request contains a batch of records: by the end of its path and its type (ADR 0058). */
export function isBatchRequest({ url = '/', headers }: IncomingMessage): boolean {
  if (headers['content-type'] !== RECORD_BATCH.type) return false;
  const [path = ''] = url.split('?', 1);
  return path.endsWith(`/${RECORD_BATCH.pathEnd}`);
}

/** Receives several records in one request. Each is stored or rejected by itself, as if it had been posted alone. */
export class BatchInlet {
  constructor(private readonly options: BatchInletOptions) {}

  /**
   * Resolves with a 200 when each record is stored or rejected; the reply names the rejected ones. Rejects with a
   * {@link FeedRefusal} when the body is not a batch, and then nothing of it is stored.
   */
  async receive(request: BatchRequest): Promise<FeedAnswer> {
    const bodies = splitBatch(request.body, RECORD_BATCH.records);
    if (bodies === undefined)
      throw new FeedRefusal('too-large', `The batch has more than ${RECORD_BATCH.records} records.`);
    if (bodies.length === 0) throw new FeedRefusal('bad-request', 'The batch has no records.');
    // All are handed to the publisher in their order before any is stored, so the records of a call stay in order.
    const outcomes = await Promise.all(bodies.map((body, position) => this.receiveOne({ ...request, body }, position)));
    const counts = outcomes.filter((outcome) => typeof outcome === 'number');
    const rejected = outcomes.filter((outcome) => typeof outcome === 'object');
    const count = counts.length === 0 ? undefined : Math.max(...counts);
    return { status: 200, headers: {}, body: writeBatchReply({ count, stored: counts.length, rejected }) };
  }

  /** Never rejects. The `Count` of the front end when the record is stored. */
  private async receiveOne({ path, ...request }: BatchRequest, position: number): Promise<number | RejectedOfBatch> {
    try {
      return await this.options.inlet.receiveRecord(request);
    } catch (thrown) {
      const { rejectedBodies, metrics, logger } = this.options;
      const refusal = refusalFor(thrown, logger);
      metrics.refuse(refusal.code);
      const { receivedAt, sentBy, body } = request;
      if (isWorthKeeping(refusal)) rejectedBodies.store({ receivedAt, ...sentBy, path, body }, refusal);
      return { position, status: refusal.status, code: refusal.code, reason: refusal.message };
    }
  }
}
