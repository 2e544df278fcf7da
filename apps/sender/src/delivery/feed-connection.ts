import type { VendorProfile } from '@ringdown/vendor-profile';
import { writeConfigurationRequest, writeRecord, type DiagnosticsRecord } from '@ringdown/xml-schemas';
import type { CollectorAddress } from './collector-address.js';
import { CollectorClient, type CollectorClientOptions } from './collector-client.js';
import { NoAnswer, type CollectorAnswer } from './http-answer.js';
import { DeliveryTally, type Delivery, type DeliveryCounts } from './delivery.js';

export interface FeedConnectionOptions extends CollectorClientOptions {
  readonly address: CollectorAddress;
  /** Name of the front end that reports. */
  readonly frontEnd: string;
  readonly profile: VendorProfile;
  /** How long nothing is tried after an outage, milliseconds. */
  readonly resumeAfterMs?: number;
  /** Tells the time in milliseconds. */
  readonly now?: () => number;
}

/** Whether the collector answered the request for the configuration. */
export type Opening =
  | { readonly ok: true; /** The configuration as it came. */ readonly configuration: string }
  | { readonly ok: false; readonly reason: string };

/** The request for the configuration is the first of a connection, so the first record is the second. */
const FIRST_CSEQ = 2;

/**
 * A front end's way to a collector (spec, "Diagnostics feed"): the configuration is asked for first, then records go
 * one after another over one connection. Records are neither kept nor sent again: during an outage they are lost and
 * counted. After it the connection rests, then starts anew with the configuration and the first sequence number.
 */
export class FeedConnection {
  private readonly client: CollectorClient;
  private readonly tally = new DeliveryTally();
  private readonly resumeAfterMs: number;
  private readonly now: () => number;
  private nextCseq = FIRST_CSEQ;
  private state: 'new' | 'open' | 'resting' = 'new';
  private restUntil = 0;
  private lastTurn: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: FeedConnectionOptions) {
    const { resumeAfterMs = 50_000, now = performance.now.bind(performance) } = options;
    this.client = new CollectorClient(options);
    this.resumeAfterMs = resumeAfterMs;
    this.now = now;
  }

  get address(): CollectorAddress {
    return this.options.address;
  }

  /** Whether what is sent now is lost without a try. */
  get isResting(): boolean {
    return this.state === 'resting' && this.now() < this.restUntil;
  }

  get counts(): DeliveryCounts {
    return this.tally.counts;
  }

  /** Asks for the configuration now, so that the caller learns whether a collector is there. */
  open(): Promise<Opening> {
    return this.inTurn(() => this.requestConfiguration());
  }

  /** Never rejects. Calls may overlap; records leave in the order of the calls. */
  async send(record: DiagnosticsRecord): Promise<Delivery> {
    const delivery = await this.inTurn(() => this.deliver(record));
    this.tally.add(delivery);
    return delivery;
  }

  /** Answers that are still out are not waited for. */
  close(): void {
    this.client.close();
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.lastTurn.then(work);
    // A failed turn is its caller's matter; the next one comes all the same.
    this.lastTurn = turn.catch(() => undefined);
    return turn;
  }

  private async deliver(record: DiagnosticsRecord): Promise<Delivery> {
    if (this.isResting) {
      return { outcome: 'lost', reason: 'the collector was not reachable a moment ago' };
    }
    if (this.state !== 'open') {
      const opening = await this.requestConfiguration();
      if (!opening.ok) return { outcome: 'lost', reason: opening.reason };
    }
    const numbered = withCseq(record, this.nextCseq++);
    const sent = writeRecord(numbered, this.options.profile);
    const answer = await this.post(this.options.address.records, sent);
    if (answer instanceof NoAnswer) return { outcome: 'lost', reason: answer.message, sent };
    if (answer.status === 200) {
      return { outcome: 'answered', cseq: numbered.connection.cseq, count: readCount(answer.body), sent };
    }
    const outcome = answer.status >= 400 && answer.status < 500 ? 'refused' : 'failed';
    return { outcome, status: answer.status, reason: reasonIn(answer), sent };
  }

  private async requestConfiguration(): Promise<Opening> {
    const { address, frontEnd } = this.options;
    const answer = await this.post(address.configuration, writeConfigurationRequest({ frontEnd }));
    if (answer instanceof NoAnswer) return { ok: false, reason: answer.message };
    if (answer.status !== 200) {
      this.rest();
      return { ok: false, reason: `the configuration request failed: ${reasonIn(answer)}` };
    }
    this.state = 'open';
    this.nextCseq = FIRST_CSEQ;
    return { ok: true, configuration: answer.body };
  }

  private async post(url: URL, xml: string): Promise<CollectorAnswer | NoAnswer> {
    try {
      return await this.client.post(url, xml);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      this.rest();
      return error;
    }
  }

  private rest(): void {
    this.state = 'resting';
    this.restUntil = this.now() + this.resumeAfterMs;
  }
}

/** Start, end and error records carry the number; quality records have none, but are counted like the others. */
function withCseq(record: DiagnosticsRecord, cseq: number): DiagnosticsRecord {
  const { cseq: _own, ...connection } = record.connection;
  const isQuality = record.events.some(({ kind }) => kind === 'qualityUpdate' || kind === 'inCallQuality');
  return { ...record, connection: isQuality ? connection : { ...connection, cseq } };
}

/** All that is known of the reply is that it holds a `Count` somewhere, so nothing else of it is relied on. */
function readCount(xml: string): number | undefined {
  const digits = /<(?:[\w.-]+:)?Count(?:\s[^<>]*)?>\s*(\d{1,15})\s*</.exec(xml)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

const SHOWN_REASON = 200;

function reasonIn({ status, body }: CollectorAnswer): string {
  const text = body
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return text === '' ? `status ${status}` : `status ${status}: ${text.slice(0, SHOWN_REASON)}`;
}
