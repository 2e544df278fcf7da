import { randomUUID } from 'node:crypto';
import { recordFeed, feedOfSender } from '@ringdown/contracts/feed-of';
import type { PublishedRecord, SentBy } from '@ringdown/contracts/records';
import type { RecordPublisher } from '@ringdown/feed-bus';
import { BusUnavailable } from '@ringdown/nats';
import { RateLimitedLog, type Logger } from '@ringdown/observability';
import type { VendorProfile } from '@ringdown/vendor-profile';
import { decodeBody, FeedSyntaxError, readFeedMessage, writeCountReply } from '@ringdown/xml-schemas';
import type { ConfigurationRequest, DiagnosticsRecord, FeedMessage } from '@ringdown/xml-schemas/record';
import { feedRecordReceipt } from './back-fill.js';
import type { AnswerCounts } from './answer-counts.js';
import type { CollectorMetrics } from './collector-metrics.js';
import { configurationFor } from './configuration.js';
import type { FrontEndAdmission } from './front-end-admission.js';
import { FrontEndParameters } from './front-end-parameters.js';
import { FeedRefusal, type FeedAnswer } from './feed-refusal.js';
import type { FeedRequest } from './feed-request.js';

export interface FeedInletOptions {
  readonly publisher: Pick<RecordPublisher, 'publish'>;
  readonly profile: VendorProfile;
  /** Largest body of one request. */
  readonly maxBodyBytes: number;
  readonly metrics: CollectorMetrics;
  readonly logger: Logger;
  /** The current parameters for front ends. */
  readonly parameters?: () => FrontEndParameters;
  readonly counts: AnswerCounts;
  readonly admission: FrontEndAdmission;
}

/** A message on the bus may have a megabyte; the rest is for the data around the record. */
const MAX_STORED_BYTES = 900_000;
/** Smaller bodies cannot exceed it: a byte never becomes more than six in JSON (diagnostics are in it three times). */
const SURELY_STORABLE_BYTES = 50_000;

/** The rules of the feed's ingress: what is stored, replied and counted. Independent of HTTP. */
export class FeedInlet {
  private readonly outage = new RateLimitedLog();

  constructor(private readonly options: FeedInletOptions) {}

  /** Resolves with a 200; a record is stored by then. Rejects with a {@link FeedRefusal}. */
  async receive(request: FeedRequest): Promise<FeedAnswer> {
    if (request.body.length === 0) return this.answerProbe(request.sentBy);
    const xml = this.decode(request.body);
    const message = this.read(xml);
    if (message.kind === 'configurationRequest') return this.configure(message.request, request);
    return ok(writeCountReply(await this.accept(message.record, xml, request)));
  }

  /**
   * A record of a batch, by the same rules as a single one. Resolves with the `Count` of the front end when it is stored;
   * rejects with a {@link FeedRefusal}.
   */
  async receiveRecord(request: Omit<FeedRequest, 'recordsUrl'>): Promise<number> {
    const xml = this.decode(request.body);
    const message = this.read(xml);
    if (message.kind !== 'record') throw new FeedRefusal('unknown-root', 'A batch may contain records only.');
    return this.accept(message.record, xml, request);
  }

  private async accept(
    record: DiagnosticsRecord,
    xml: string,
    request: Omit<FeedRequest, 'recordsUrl'>,
  ): Promise<number> {
    const { sentBy } = request;
    const feed = recordFeed(record, sentBy);
    const { frontEnds, pools = [], sourcePool } = record.connection;
    this.options.admission.check({ frontEnds, pools: [...pools, sourcePool] }, feed, request);
    const published = { id: randomUUID(), ...feedRecordReceipt(record, request), ...sentBy, record, xml };
    await this.store(published, feed, request);
    return this.options.counts.next(feed);
  }

  /** Some senders first post an empty body, to check whether a collector is there (protocol page, 4.1). */
  private answerProbe(sentBy: SentBy): FeedAnswer {
    this.options.metrics.probed();
    return ok(writeCountReply(this.options.counts.next(feedOfSender(sentBy))));
  }

  private configure(configuration: ConfigurationRequest, request: FeedRequest): FeedAnswer {
    if (configuration.frontEnd !== undefined) this.options.admission.checkRight(configuration.frontEnd, request);
    this.options.metrics.configured();
    this.options.counts.next(configuration.frontEnd ?? feedOfSender(request.sentBy));
    const { parameters, maxBodyBytes } = this.options;
    const configured = parameters?.() ?? FrontEndParameters.none;
    return ok(configurationFor(configuration, request.recordsUrl(), { configured, maxBodyBytes }));
  }

  private decode(body: Uint8Array): string {
    return asRefusal(() => decodeBody(body));
  }

  private read(xml: string): FeedMessage {
    return asRefusal(() => readFeedMessage(xml, this.options.profile));
  }

  private async store(
    published: PublishedRecord,
    feed: string,
    { body, sentBy }: Pick<FeedRequest, 'body' | 'sentBy'>,
  ): Promise<void> {
    if (body.length > SURELY_STORABLE_BYTES && Buffer.byteLength(JSON.stringify(published)) > MAX_STORED_BYTES) {
      throw new FeedRefusal('too-large', 'The record is too large to be stored.');
    }
    const start = performance.now();
    try {
      await this.options.publisher.publish(published, sentBy);
    } catch (error) {
      if (!(error instanceof BusUnavailable)) throw error;
      this.lose(published.record, feed, error);
      throw new FeedRefusal('unavailable', undefined, { cause: error });
    }
    this.options.metrics.stored(published.record, (performance.now() - start) / 1_000);
  }

  /** Front ends do not send a record again, so this is logged as an error. */
  private lose({ connection }: DiagnosticsRecord, feed: string, error: BusUnavailable): void {
    const { metrics, logger, counts } = this.options;
    metrics.lost();
    counts.lost(feed);
    this.outage.log((leftOut) =>
      logger.error(
        { reason: error.message, callId: connection.callId, feed, leftOut },
        'a record could not be stored and was answered with 503',
      ),
    );
  }
}

function ok(body: string): FeedAnswer {
  return { status: 200, headers: {}, body };
}

function asRefusal<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof FeedSyntaxError) throw new FeedRefusal(error.code, error.message, { cause: error });
    throw error;
  }
}
