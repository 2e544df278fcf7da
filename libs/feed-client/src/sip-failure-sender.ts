import { SIP_FAILURES_PATH_END, type SipFailureBody, type SipFailureCount } from '@ringdown/contracts/sip-failures';
import { readAcceptedReports } from '@ringdown/xml-schemas';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CollectorAddress } from './collector-address.js';
import { CollectorClient, type CollectorClientOptions } from './collector-client.js';
import { postBesideRecords, type PostOutcome } from './post-beside-records.js';

export interface SipFailureSenderOptions extends CollectorClientOptions {
  /** The collector that receives the records now. */
  readonly address: () => CollectorAddress;
  readonly frontEnd: string;
  readonly onOutcome: (outcome: PostOutcome) => void;
  /** How often, milliseconds; 0: never. */
  readonly everyMs: number;
}

type SipFailure = Omit<SipFailureCount, 'count'>;

/**
 * Reports how often SIP requests outside of calls failed, over a connection of its own, to a collector that announces that
 * it reads such reports (ADR 0061). What was not acknowledged is sent again with the same id. The kinds of failures are
 * bounded by who finds them.
 */
export class SipFailureSender {
  private readonly client: CollectorClient;
  private counts = new Map<string, SipFailureCount>();
  /** Not acknowledged yet. */
  private pending: SipFailureBody | undefined;
  private isWanted = false;
  private sentAt: number | undefined;
  private sending: Promise<void> | undefined;

  constructor(private readonly options: SipFailureSenderOptions) {
    this.client = new CollectorClient(options);
  }

  /** The configuration of the collector that gets the records from now on. */
  onConfiguration(configuration: string): void {
    this.isWanted = this.options.everyMs > 0 && readAcceptedReports(configuration).includes(SIP_FAILURES_PATH_END);
    if (!this.isWanted) this.forget();
  }

  add({ method, status, peer }: SipFailure): void {
    if (this.options.everyMs === 0) return;
    const key = `${method} ${status} ${peer}`;
    const count = (this.counts.get(key)?.count ?? 0) + 1;
    this.counts.set(key, { method, status, peer, count });
  }

  /** Call it about each second. `now`: by a monotonic clock, milliseconds. */
  sweep(now: number): void {
    this.sentAt ??= now;
    if (now - this.sentAt < this.options.everyMs) return;
    this.sentAt = now;
    this.sending ??= this.report().finally(() => (this.sending = undefined));
  }

  /** Reports what is left, at most for this time. */
  async settle(milliseconds: number): Promise<void> {
    const last = async (): Promise<void> => {
      await this.sending;
      await this.report();
    };
    await Promise.race([last(), sleep(milliseconds, undefined, { ref: false })]);
  }

  close(): void {
    this.client.close();
  }

  private async report(): Promise<void> {
    this.pending ??= this.nextReport();
    if (this.pending === undefined) return;
    const outcome = await this.post(this.pending);
    if (outcome !== 'failed') this.pending = undefined;
    if (outcome === 'refused') this.isWanted = false;
    this.options.onOutcome(outcome);
  }

  private nextReport(): SipFailureBody | undefined {
    if (!this.isWanted || this.counts.size === 0) return undefined;
    const failures = [...this.counts.values()];
    this.counts = new Map();
    return { v: 1, id: randomUUID(), frontEnd: this.options.frontEnd, failures };
  }

  private post(report: SipFailureBody): Promise<PostOutcome> {
    const url = new URL(SIP_FAILURES_PATH_END, this.options.address().configuration);
    return postBesideRecords(this.client, url, report);
  }

  /** For another collector they would be old. */
  private forget(): void {
    this.counts.clear();
    this.pending = undefined;
  }
}
