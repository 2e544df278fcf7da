import { Mutex } from '@ringdown/concurrency';
import type { VendorProfile } from '@ringdown/vendor-profile';
import { readAcceptedBatch, writeBatch, writeConfigurationRequest, writeRecord } from '@ringdown/xml-schemas';
import { RECORD_BATCH, type BatchLimits } from '@ringdown/xml-schemas/fields';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import type { CollectorAddress } from './collector-address.js';
import { deliveriesOf, fillBatch, type NumberedRecord } from './batch-delivery.js';
import { CollectorClient, type CollectorClientOptions, type PostOptions } from './collector-client.js';
import { NoAnswer, type CollectorAnswer } from './http-answer.js';
import { DeliveryTally, isRejection, reasonIn, type Delivery, type DeliveryCounts } from './delivery.js';

export interface FeedConnectionOptions extends CollectorClientOptions {
  readonly address: CollectorAddress;
  /** Name of the front end that reports. */
  readonly frontEnd: string;
  readonly profile: VendorProfile;
  /** Pause after an outage before the next try, milliseconds. */
  readonly resumeAfterMs?: number;
  /** Whether its records are marked as posted long after their times (docs/guides/front-ends.md). */
  readonly isBackfill?: boolean;
  /** Called with each configuration, before the records that follow it. */
  readonly onConfiguration?: ((configuration: string) => void) | undefined;
  /** The clock, milliseconds. */
  readonly now?: () => number;
}

/** The result of the configuration request. */
export type Opening =
  | { readonly ok: true; /** The configuration as it was received. */ readonly configuration: string }
  | { readonly ok: false; readonly reason: string };

/** The configuration request is the first of a connection, so the first record is the second. */
const FIRST_CSEQ = 2;
const BATCH_POST: PostOptions = { type: RECORD_BATCH.type, accept: 'text/xml', isAnnounced: true };

/**
 * The connection of a front end to a collector (diagnostics-feed.md, 1): it requests the configuration first, then posts
 * records one after another over one connection, several in one post if the collector announces that it reads them
 * (ADR 0058). Records are neither kept nor sent again: during an outage they are lost and counted. After an outage the
 * connection pauses, then starts again with the configuration and the first sequence number.
 */
export class FeedConnection {
  private readonly client: CollectorClient;
  private readonly tally = new DeliveryTally();
  private readonly resumeAfterMs: number;
  private readonly now: () => number;
  private nextCseq = FIRST_CSEQ;
  private state: 'new' | 'open' | 'paused' = 'new';
  private pausedUntil = 0;
  private readonly posting = new Mutex();
  /** As the collector has announced it; undefined: one record for each post. */
  private batchLimits: BatchLimits | undefined;

  constructor(private readonly options: FeedConnectionOptions) {
    const { resumeAfterMs = 50_000, now = performance.now.bind(performance) } = options;
    this.client = new CollectorClient(options);
    this.resumeAfterMs = resumeAfterMs;
    this.now = now;
  }

  get address(): CollectorAddress {
    return this.options.address;
  }

  /** Whether a record sent now would be lost without a try. */
  get isPaused(): boolean {
    return this.state === 'paused' && this.now() < this.pausedUntil;
  }

  get acceptsBatches(): boolean {
    return this.batchLimits !== undefined;
  }

  /** Whether a collector answers that reads one record for each post. */
  get postsSingly(): boolean {
    return this.state === 'open' && this.batchLimits === undefined;
  }

  get counts(): DeliveryCounts {
    return this.tally.counts;
  }

  /** Requests the configuration now, so that the caller knows whether a collector answers. */
  open(): Promise<Opening> {
    return this.posting.runExclusive(() => this.requestConfiguration());
  }

  /**
   * Never rejects. Calls may overlap; records leave in the order of the calls. `before`: the record as it was sent
   * without an answer, or with one that does not say that it was not stored. It is sent as the same bytes, by which the aggregator knows a copy of what was stored after all.
   */
  async send(record: DiagnosticsRecord, before?: NumberedRecord): Promise<Delivery> {
    const delivery = await this.posting.runExclusive(() => this.deliver(record, before));
    this.tally.add(delivery);
    return delivery;
  }

  /**
   * Sends the first of these records, as many as one post may contain. Resolves with their outcomes, of at least one. Never
   * rejects.
   */
  async sendBatch(records: readonly DiagnosticsRecord[]): Promise<readonly Delivery[]> {
    const deliveries = await this.posting.runExclusive(() => this.deliverBatch(records));
    for (const delivery of deliveries) this.tally.add(delivery);
    return deliveries;
  }

  /** Does not wait for pending answers. */
  close(): void {
    this.client.close();
  }

  private async deliver(record: DiagnosticsRecord, before?: NumberedRecord): Promise<Delivery> {
    if (this.isPaused) {
      return { outcome: 'lost', reason: 'the collector was not reachable a moment ago', ...before };
    }
    if (this.state !== 'open') {
      const opening = await this.requestConfiguration();
      if (!opening.ok) return { outcome: 'lost', reason: opening.reason, ...before };
    }
    const { sent, cseq } = before ?? this.number(record, this.nextCseq++);
    this.nextCseq = Math.max(this.nextCseq, (cseq ?? 0) + 1);
    const answer = await this.post(this.options.address.records, sent);
    if (answer instanceof NoAnswer) return { outcome: 'lost', reason: answer.message, sent, cseq };
    if (answer.status === 200) return { outcome: 'answered', cseq, count: readCount(answer.body), sent };
    const { status } = answer;
    const reason = reasonIn(answer);
    return isRejection(status)
      ? { outcome: 'refused', status, reason, sent }
      : { outcome: 'failed', status, reason, sent, cseq };
  }

  private async deliverBatch(records: readonly DiagnosticsRecord[]): Promise<readonly Delivery[]> {
    const [first] = records;
    if (first === undefined) return [];
    const limits = this.state === 'open' ? this.batchLimits : undefined;
    const batch =
      limits === undefined || records.length === 1
        ? []
        : fillBatch(records, limits, (record, index) => this.number(record, this.nextCseq + index));
    if (batch.length < 2) return [await this.deliver(first)];
    const url = new URL(RECORD_BATCH.pathEnd, this.options.address.configuration);
    const answer = await this.post(url, writeBatch(batch.map(({ sent }) => sent)), BATCH_POST);
    if (!(answer instanceof NoAnswer) && isRejection(answer.status)) {
      // Behind this address is something that does not read batches after all, such as a collector of an older version.
      this.batchLimits = undefined;
      return [await this.deliver(first)];
    }
    this.nextCseq += batch.length;
    return deliveriesOf(batch, answer);
  }

  /** The record as it is sent with this sequence number. */
  private number(record: DiagnosticsRecord, cseq: number): NumberedRecord {
    const numbered = withCseq(record, cseq);
    return { sent: writeRecord(numbered, this.options.profile), cseq: numbered.connection.cseq };
  }

  private async requestConfiguration(): Promise<Opening> {
    const { address, frontEnd } = this.options;
    const answer = await this.post(address.configuration, writeConfigurationRequest({ frontEnd }));
    if (answer instanceof NoAnswer) return { ok: false, reason: answer.message };
    if (answer.status !== 200) {
      this.pause();
      return { ok: false, reason: `the configuration request failed: ${reasonIn(answer)}` };
    }
    this.state = 'open';
    this.nextCseq = FIRST_CSEQ;
    this.batchLimits = readAcceptedBatch(answer.body);
    this.options.onConfiguration?.(answer.body);
    return { ok: true, configuration: answer.body };
  }

  private async post(url: URL, xml: string, options?: PostOptions): Promise<CollectorAnswer | NoAnswer> {
    const { isBackfill = false } = this.options;
    try {
      return await this.client.post(url, xml, { ...options, isBackfill });
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      this.pause();
      return error;
    }
  }

  private pause(): void {
    this.state = 'paused';
    this.pausedUntil = this.now() + this.resumeAfterMs;
  }
}

/** Start, end and error records carry the sequence number; quality records do not, but are counted like the others. */
function withCseq(record: DiagnosticsRecord, cseq: number): DiagnosticsRecord {
  const { cseq: _own, ...connection } = record.connection;
  const isQuality = record.events.some(({ kind }) => kind === 'qualityUpdate' || kind === 'inCallQuality');
  return { ...record, connection: isQuality ? connection : { ...connection, cseq } };
}

/** The specification only says that the reply contains a `Count` somewhere, so this relies on nothing else. */
function readCount(xml: string): number | undefined {
  const digits = /<(?:[\w.-]+:)?Count(?:\s[^<>]*)?>\s*(\d{1,15})\s*</.exec(xml)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
