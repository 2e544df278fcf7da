import { BusUnavailable, type RecordPublisher } from '@ringdown/bus';
import type { Logger } from '@ringdown/observability';
import { writeCountReply, type ConfigurationRequest } from '@ringdown/xml-schemas';
import type { AnswerCounts } from './answer-counts.js';
import type { BodyRead, ReadingFailed, RecordRead } from './feed-body.js';
import type { CollectorMetrics } from './collector-metrics.js';
import { configurationFor } from './configuration.js';
import { FrontEndParameters } from './front-end-parameters.js';
import { RareLine } from './rare-line.js';
import { ReaderUnavailable, type ReadingThread } from './reading-thread.js';
import { Refusal, type FeedAnswer } from './refusal.js';

/** One POST whose body has arrived. */
export interface FeedRequest {
  readonly body: Uint8Array;
  /** The collector's clock, milliseconds since 1970. */
  readonly receivedAt: number;
  /** Where records go, as this front end sees it; asked for only by those who want to be told. */
  recordsUrl(): string | undefined;
}

export interface FeedInletOptions {
  readonly reader: Pick<ReadingThread, 'read'>;
  readonly publisher: Pick<RecordPublisher, 'publishJson'>;
  readonly metrics: CollectorMetrics;
  readonly logger: Logger;
  /** What front ends shall be set to, at this moment. */
  readonly wanted?: () => FrontEndParameters;
  readonly counts: AnswerCounts;
}

/** The rules of the feed's door: what is stored, what is answered, what is counted. Knows nothing of HTTP's wire. */
export class FeedInlet {
  private readonly outage = new RareLine();

  constructor(private readonly options: FeedInletOptions) {}

  /** Resolves with a 200; a record is stored by then. Rejects with a {@link Refusal}. */
  async receive(request: FeedRequest): Promise<FeedAnswer> {
    if (request.body.length === 0) return this.answerProbe();
    const read = await this.read(request);
    if (read.kind === 'refused') throw new Refusal(read.code, read.reason);
    if (read.kind === 'failed') throw failureOf(read);
    if (read.kind === 'configurationRequest') return this.configure(read.request, request);
    await this.store(read);
    return ok(writeCountReply(this.options.counts.next(read.frontEnds[0])));
  }

  /** Some senders first post nothing, to see whether somebody is there (protocol page, 4.1). */
  private answerProbe(): FeedAnswer {
    this.options.metrics.probed();
    return ok(writeCountReply(this.options.counts.next()));
  }

  private configure(asked: ConfigurationRequest, request: FeedRequest): FeedAnswer {
    this.options.metrics.configured();
    this.options.counts.next(asked.frontEnd);
    return ok(configurationFor(asked, request.recordsUrl(), this.options.wanted?.() ?? FrontEndParameters.none));
  }

  private async read({ body, receivedAt }: FeedRequest): Promise<BodyRead> {
    try {
      return await this.options.reader.read(body, receivedAt);
    } catch (error) {
      if (!(error instanceof ReaderUnavailable)) throw error;
      throw this.lost(error, {});
    }
  }

  private async store(record: RecordRead): Promise<void> {
    const start = performance.now();
    try {
      await this.options.publisher.publishJson(record);
    } catch (error) {
      if (!(error instanceof BusUnavailable)) throw error;
      throw this.lost(error, { callId: record.callId, frontEnds: record.frontEnds });
    }
    this.options.metrics.stored(record.reports, (performance.now() - start) / 1_000);
  }

  /** Front ends do not send a record again, so this is as loud as it gets. `said`: what is known of the record. */
  private lost(error: Error, said: Partial<Pick<RecordRead, 'callId' | 'frontEnds'>>): Refusal {
    const { metrics, logger } = this.options;
    metrics.lost();
    this.outage.say((leftOut) =>
      logger.error(
        { reason: error.message, ...said, leftOut },
        'a record could not be stored and was answered with 503',
      ),
    );
    return new Refusal('unavailable', undefined, { cause: error });
  }
}

function ok(body: string): FeedAnswer {
  return { status: 200, headers: {}, body };
}

/** As it was thrown in the thread, for the log. */
function failureOf({ message, stack }: ReadingFailed): Error {
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
