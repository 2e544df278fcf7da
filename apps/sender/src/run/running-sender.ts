import type { IdentityHiding } from '@ringdown/identity-hiding';
import type { Logger } from '@ringdown/observability';
import type { VendorProfile } from '@ringdown/vendor-profile';
import { writeRecord, type DiagnosticsRecord, type OutputVersion } from '@ringdown/xml-schemas';
import { Courier, type CourierOptions } from '../delivery/courier.js';
import type { DialogTrackerOptions } from '../dialogs/dialog-tracker.js';
import { FrontEndFeed } from '../feed/front-end-feed.js';
import { Outbox, type OutboxOptions } from '../feed/outbox.js';
import { HepListener, type HepListenerOptions } from '../input/hep-listener.js';
import { TextLog } from '../logs/text-log.js';
import { CollectorWatch } from './collector-watch.js';
import { RepeatedComplaint } from './repeated-complaint.js';
import type { SenderMetrics } from './sender-metrics.js';

export interface SenderOptions
  extends
    Pick<DialogTrackerOptions, 'frontEnd' | 'limits'>,
    Pick<CourierOptions, 'address' | 'alternative' | 'persistence' | 'tls' | 'timeoutMs' | 'continueWaitMs'> {
  readonly profile: VendorProfile;
  readonly version: OutputVersion;
  readonly resumeAfterMs: number;
  readonly queueLength: number;
  readonly hep: Pick<HepListenerOptions, 'host' | 'port' | 'tls' | 'password'>;
  readonly hiding?: IdentityHiding;
  readonly logs?: { readonly folder: string; readonly keepDays?: number };
  readonly logger: Logger;
  readonly metrics: SenderMetrics;
}

type Handled = Parameters<OutboxOptions['onDelivery']>[1];

const SWEEP_MS = 1_000;
/** How long a stopping sender waits for answers to what it has sent. */
const LAST_ANSWERS_MS = 5_000;

/** A front end's sender at work: HEP in, records out. */
export class RunningSender {
  private readonly complaint: RepeatedComplaint;
  private readonly watch: CollectorWatch;
  private readonly feed: FrontEndFeed;
  private readonly courier: Courier;
  private readonly outbox: Outbox;
  private readonly input: TextLog | undefined;
  private readonly output: TextLog | undefined;
  private readonly sweeping: NodeJS.Timeout;
  private listener: HepListener | undefined;

  private constructor(private readonly options: SenderOptions) {
    const { logger, metrics, queueLength: limit } = options;
    this.complaint = new RepeatedComplaint((kind, detail, times) => logger.warn({ detail, times }, kind));
    this.watch = new CollectorWatch({ logger, onAnswerWithoutCount: () => metrics.withoutCount.inc() });
    [this.input, this.output] = [this.textLog('input'), this.textLog('output')];
    this.courier = new Courier({
      ...options,
      onRetry: () => metrics.retries.inc(),
      onFailover: ({ records }) => {
        metrics.failovers.inc();
        this.watch.turned();
        logger.warn({ collector: records.origin }, 'collector failed, sending records to the other one');
      },
    });
    this.outbox = new Outbox({
      courier: this.courier,
      limit,
      onDelivery: (record, delivery) => this.delivered(record, delivery),
    });
    this.feed = new FrontEndFeed({
      ...options,
      onRecord: (record) => this.outbox.post(record),
      onRefused: (message) => this.complaint.about('packet is not a SIP message', message),
      onForgotten: ({ callId, state, why }) => {
        metrics.forgotten.inc({ why });
        // Room is wanted by the thousands; what expires was there for minutes at least.
        if (why === 'too many calls') this.complaint.about('oldest call forgotten, too many calls', callId);
        else logger.warn({ callId, state, why }, 'call forgotten without an end');
      },
    });
    metrics.observe(this.feed, this.outbox, this.courier);
    this.sweeping = setInterval(() => this.sweep(), SWEEP_MS);
  }

  /** Rejects when a port cannot be opened or no log be written. A collector that is not there is no reason: it may come later. */
  static async start(options: SenderOptions): Promise<RunningSender> {
    const sender = new RunningSender(options);
    try {
      await sender.open();
      return sender;
    } catch (error) {
      await sender.stop();
      throw error;
    }
  }

  get port(): number {
    return this.listener?.port ?? 0;
  }

  get tlsPort(): number {
    return this.listener?.tlsPort ?? 0;
  }

  /** Takes nothing more, and waits a moment for the answers to what is on its way. */
  async stop(): Promise<void> {
    clearInterval(this.sweeping);
    await this.listener?.stop();
    const limit = new AbortController();
    const patience = new Promise((resolve) => {
      const timer = setTimeout(resolve, LAST_ANSWERS_MS);
      limit.signal.addEventListener('abort', () => clearTimeout(timer));
    });
    await Promise.race([this.outbox.idle(), patience]);
    limit.abort();
    this.courier.close();
    await Promise.all([this.input?.close(), this.output?.close()]);
  }

  private sweep(): void {
    this.feed.sweep(performance.now());
    this.input?.sweep();
    this.output?.sweep();
  }

  private async open(): Promise<void> {
    const { hep, metrics, logger, address } = this.options;
    this.listener = await HepListener.start({
      ...hep,
      onPacket: (packet, bytes) => {
        metrics.packets[packet.content]++;
        this.input?.write('hep', bytes.toString('base64'));
        this.feed.take(packet, performance.now(), Date.now());
      },
      onRefused: (problem, message, from) => {
        metrics.refused.inc({ problem });
        this.complaint.about('packet is not HEP', `${message} (from ${from})`);
      },
    });
    const opening = await this.courier.open();
    if (!opening.ok)
      logger.warn({ collector: address.records.origin, reason: opening.reason }, 'collector not reachable yet');
  }

  private delivered(record: DiagnosticsRecord, delivery: Handled): void {
    const { outcome } = delivery;
    this.options.metrics.records.inc({ outcome });
    this.output?.write('record', this.options.frontEnd, outcome, this.asSent(record, delivery));
    if (delivery.outcome !== 'dropped') this.watch.see(delivery);
    if (outcome !== 'answered') {
      const reason = 'reason' in delivery ? delivery.reason : 'the queue is full (SUBMIT_QUEUE_LEN)';
      this.complaint.about(`record ${outcome}`, reason);
    }
  }

  /** What was never on the wire has no number there. */
  private asSent(record: DiagnosticsRecord, delivery: Handled): string {
    if ('sent' in delivery && delivery.sent !== undefined) return delivery.sent;
    const { cseq: _none, ...connection } = record.connection;
    return writeRecord({ ...record, connection }, this.options.profile);
  }

  private textLog(name: string): TextLog | undefined {
    const { logs } = this.options;
    return logs && new TextLog({ ...logs, name, onProblem: (message) => this.complaint.about('text log', message) });
  }
}
