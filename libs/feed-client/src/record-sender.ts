import { Mutex } from '@ringdown/concurrency';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CollectorAddress } from './collector-address.js';
import type { NumberedRecord } from './batch-delivery.js';
import { isFinalRejection, type Delivery } from './delivery.js';
import { FeedConnection, type FeedConnectionOptions, type Opening } from './feed-connection.js';

/** Settings for sending records again instead of losing them; named as in known senders (diagnostics-feed.md, 4). */
export interface Persistence {
  /** How often a record that the collector did not accept is sent again; 0: never, as in the specification. */
  readonly maxRetry: number;
  /** Failures in a row without a growing pause. */
  readonly maxDelayLimit: number;
  /** Longest pause, milliseconds; each further failure adds a second up to this. */
  readonly maxBackoffMs: number;
  /** Failures in a row after which the other address is used, if there is one. */
  readonly maxRetryBeforeFailover: number;
}

export const SEND_ONCE: Persistence = {
  maxRetry: 0,
  maxDelayLimit: 5,
  maxBackoffMs: 30_000,
  maxRetryBeforeFailover: 10,
};

export interface RecordSenderOptions extends FeedConnectionOptions {
  /** Where records go when the address fails. */
  readonly alternative?: CollectorAddress;
  readonly persistence?: Persistence;
  readonly onRetry?: () => void;
  readonly onFailover?: (to: CollectorAddress) => void;
  /** Ends early when `signal` is aborted. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const STEP_MS = 1_000;
/** Prevents a busy loop of requests while the collector is unreachable. */
const SHORTEST_PAUSE_MS = 100;

/**
 * Sends the records of a front end to its collector one after another, in order: once, or again as often as the
 * settings allow, to this or the other address. A record whose answer was lost may then arrive twice.
 */
export class RecordSender {
  private readonly connections: readonly FeedConnection[];
  private readonly persistence: Persistence;
  private readonly pause: NonNullable<RecordSenderOptions['pause']>;
  private readonly stopping = new AbortController();
  private used = 0;
  private failures = 0;
  private readonly delivering = new Mutex();

  constructor(private readonly options: RecordSenderOptions) {
    const { address, alternative, persistence = SEND_ONCE, pause = pauseFor } = options;
    this.persistence = persistence;
    this.pause = pause;
    // With retries the pauses are those of pauseBeforeRetry.
    const rest = persistence.maxRetry > 0 ? { resumeAfterMs: 0 } : {};
    const addresses = [address, ...(alternative ? [alternative] : [])];
    this.connections = addresses.map((each) => new FeedConnection({ ...options, ...rest, address: each }));
  }

  /** Whether records are sent to the other address now. */
  get usesAlternative(): boolean {
    return this.used > 0;
  }

  /** Requests the configuration from the first address, so that the caller knows whether a collector answers. */
  open(): Promise<Opening> {
    return this.connection.open();
  }

  /** Never rejects. Calls may overlap; records leave in the order of the calls. */
  send(record: DiagnosticsRecord): Promise<Delivery> {
    return this.delivering.runExclusive(() => this.deliver(record));
  }

  get acceptsBatches(): boolean {
    return this.connection.acceptsBatches;
  }

  /** Whether a collector answers that reads one record for each post. */
  get postsSingly(): boolean {
    return this.connection.postsSingly;
  }

  /**
   * Sends the first of these records, in one post if the collector reads batches. Resolves with their outcomes, of at least
   * one; never rejects. A record that was not accepted is sent again by itself.
   */
  sendBatch(records: readonly DiagnosticsRecord[]): Promise<readonly Delivery[]> {
    return this.delivering.runExclusive(() => this.deliverBatch(records));
  }

  /** Records without an answer are lost. */
  close(): void {
    this.stopping.abort();
    for (const connection of this.connections) connection.close();
  }

  private get connection(): FeedConnection {
    const connection = this.connections[this.used];
    if (!connection) throw new Error(`no collector address ${this.used}`);
    return connection;
  }

  private async deliverBatch(records: readonly DiagnosticsRecord[]): Promise<readonly Delivery[]> {
    const { isPaused } = this.connection;
    const deliveries = await this.connection.sendBatch(records);
    this.followFailures(deliveries.every(isFinal), isPaused);
    const settled: Delivery[] = [];
    for (const [index, record] of records.slice(0, deliveries.length).entries()) {
      const delivery = deliveries[index];
      if (delivery) settled.push(isFinal(delivery) ? delivery : await this.sendAgain(record, delivery));
    }
    return settled;
  }

  private async deliver(record: DiagnosticsRecord): Promise<Delivery> {
    const delivery = await this.sendOnce(record);
    return isFinal(delivery) ? delivery : this.sendAgain(record, delivery);
  }

  /** Until the record is accepted or rejected, or the retries are used up. */
  private async sendAgain(record: DiagnosticsRecord, failed: Delivery): Promise<Delivery> {
    let delivery = failed;
    for (let retries = 0; !isFinal(delivery) && retries < this.persistence.maxRetry; retries++) {
      if (this.stopping.signal.aborted || !(await this.pauseBeforeRetry())) return delivery;
      this.options.onRetry?.();
      delivery = await this.sendOnce(record, perhapsStored(delivery));
    }
    return delivery;
  }

  private async sendOnce(record: DiagnosticsRecord, before?: NumberedRecord): Promise<Delivery> {
    const { isPaused } = this.connection;
    const delivery = await this.connection.send(record, before);
    this.followFailures(isFinal(delivery), isPaused);
    return delivery;
  }

  private followFailures(isAccepted: boolean, wasPaused: boolean): void {
    if (isAccepted) this.failures = 0;
    else if (!wasPaused) this.onFailure();
  }

  private onFailure(): void {
    this.failures++;
    if (this.connections.length === 1 || this.failures < this.persistence.maxRetryBeforeFailover) return;
    this.failures = 0;
    this.used = (this.used + 1) % this.connections.length;
    this.options.onFailover?.(this.connection.address);
  }

  /** Returns false if the sender was stopped meanwhile. */
  private async pauseBeforeRetry(): Promise<boolean> {
    const { maxDelayLimit, maxBackoffMs } = this.persistence;
    const backoff = Math.min((this.failures - maxDelayLimit) * STEP_MS, maxBackoffMs);
    await this.pause(Math.max(backoff, SHORTEST_PAUSE_MS), this.stopping.signal);
    return !this.stopping.signal.aborted;
  }
}

/**
 * What was sent and may have been stored: without an answer, or with another than 200 and 4xx. A collector may get the confirmation of
 * the bus too late, and a proxy the answer of the collector.
 */
function perhapsStored(delivery: Delivery): NumberedRecord | undefined {
  const isKnown = delivery.outcome === 'answered' || delivery.outcome === 'refused';
  if (isKnown || delivery.sent === undefined) return undefined;
  return { sent: delivery.sent, cseq: delivery.cseq };
}

/** A rejection is final too: the collector would reject the same record again. */
function isFinal(delivery: Delivery): boolean {
  if (delivery.outcome === 'refused') return isFinalRejection(delivery.status);
  return delivery.outcome === 'answered';
}

async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  // Rejects only when the sender stops.
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
