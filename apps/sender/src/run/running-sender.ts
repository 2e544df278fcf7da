import type { IdentityHiding } from '@ringdown/identity-hiding';
import type { Logger } from '@ringdown/observability';
import type { VendorProfile } from '@ringdown/vendor-profile';
import { writeRecord, type OutputVersion } from '@ringdown/xml-schemas';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import {
  RecordSender,
  SipFailureSender,
  TraceSender,
  type CollectorAddress,
  type RecordSenderOptions,
} from '@ringdown/feed-client';
import {
  type DialogTrackerOptions,
  FrontEndFeed,
  type FrontEndFeedOptions,
  OutputVersionChoice,
} from '@ringdown/call-capture';
import { RecordQueue, type RecordQueueOptions } from './record-queue.js';
import { HepListener, type HepListenerOptions } from '../input/hep-listener.js';
import { TextLog } from '../logs/text-log.js';
import { CollectorWatch } from './collector-watch.js';
import { FailureLog } from './failure-log.js';
import { hepConnections } from './hep-connections.js';
import { RateLimitedWarnings } from './rate-limited-warnings.js';
import type { SenderMetrics } from './sender-metrics.js';
import type { Tracing } from './tracing.js';

export interface SenderOptions
  extends
    Pick<DialogTrackerOptions, 'frontEnd' | 'limits' | 'legHeaders'>,
    Pick<RecordSenderOptions, 'address' | 'alternative' | 'persistence' | 'tls' | 'timeoutMs' | 'continueWaitMs'> {
  readonly profile: VendorProfile;
  /** Left out: the newest that the collector names. */
  readonly version?: OutputVersion | undefined;
  readonly callIdForm?: FrontEndFeedOptions['callIdForm'];
  readonly resumeAfterMs: number;
  readonly queueLength: number;
  /** How often failed requests are logged; 0 or left out: never. */
  readonly failureLogMs?: number;
  /** How often they are reported to a collector that reads such reports; 0 or left out: never. */
  readonly failureReportMs?: number;
  readonly hep: Pick<HepListenerOptions, 'host' | 'port' | 'tls' | 'password'>;
  readonly hiding?: IdentityHiding;
  readonly tracing?: Tracing;
  readonly logs?: { readonly folder: string; readonly keepDays?: number };
  readonly logger: Logger;
  readonly metrics: SenderMetrics;
}

type Handled = Parameters<RecordQueueOptions['onDelivery']>[1];

const SWEEP_MS = 1_000;
/** How long a stopping sender waits for pending answers. */
const LAST_ANSWERS_MS = 5_000;

/** The running sender of a front end: HEP in, records out. */
export class RunningSender {
  private readonly warnings: RateLimitedWarnings;
  private readonly failureLog: FailureLog;
  private readonly failureSender: SipFailureSender;
  private readonly watch: CollectorWatch;
  private readonly feed: FrontEndFeed;
  private readonly recordSender: RecordSender;
  private readonly queue: RecordQueue;
  private readonly traceSender: TraceSender | undefined;
  private readonly input: TextLog | undefined;
  private readonly output: TextLog | undefined;
  private readonly sweeping: NodeJS.Timeout;
  private listener: HepListener | undefined;

  private constructor(private readonly options: SenderOptions) {
    const { logger, metrics, queueLength: limit } = options;
    this.warnings = new RateLimitedWarnings(logger);
    this.failureLog = new FailureLog(logger, options.failureLogMs ?? 0);
    this.failureSender = this.openFailureSender();
    this.watch = new CollectorWatch({ logger, onAnswerWithoutCount: () => metrics.withoutCount.inc() });
    [this.input, this.output] = [this.textLog('input'), this.textLog('output')];
    const version = new OutputVersionChoice(options.version);
    this.recordSender = new RecordSender({
      ...options,
      onConfiguration: (configuration) => {
        this.failureSender.onConfiguration(configuration);
        if (version.onConfiguration(configuration)) logger.info({ version: version.current }, 'version of the records');
      },
      onRetry: () => metrics.retries.inc(),
      onFailover: ({ records }) => {
        metrics.failovers.inc();
        this.watch.reset();
        logger.warn({ collector: records.origin }, 'collector failed, sending records to the other one');
      },
    });
    this.queue = new RecordQueue({
      sender: this.recordSender,
      limit,
      onDelivery: (record, delivery) => this.onDelivery(record, delivery),
    });
    this.traceSender = this.openTraceSender();
    this.feed = new FrontEndFeed({
      ...options,
      version,
      messages: this.traceSender && {
        rtcp: options.tracing?.rtcp ?? false,
        onMessage: (message) => this.traceSender?.add(message),
        onTooLarge: () => metrics.traced.inc({ outcome: 'dropped' }),
      },
      onRequestFailure: (failure) => {
        metrics.requestFailures.inc({ ...failure });
        this.failureLog.add(failure);
        this.failureSender.add(failure);
      },
      onRecord: (record) => this.queue.enqueue(record),
      onRejected: (message) => this.warnings.warn('packet is not a SIP message', message),
      onForgotten: ({ callId, state, why }) => {
        metrics.forgotten.inc({ why });
        // Thousands of calls may be evicted in a second; calls that expire were open for minutes.
        if (why === 'too many calls') this.warnings.warn('oldest call forgotten, too many calls', callId);
        else logger.warn({ callId, state, why }, 'call forgotten without an end');
      },
    });
    metrics.observe(this.feed, this.queue, this.recordSender);
    metrics.observeTracing(() => this.traceSender?.length ?? 0);
    this.sweeping = setInterval(() => this.sweep(), SWEEP_MS);
  }

  /** Rejects when a port cannot be opened or no log can be written. Starts without a collector: it may start later. */
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

  /** Stops receiving, and waits a moment for pending answers. */
  async stop(): Promise<void> {
    clearInterval(this.sweeping);
    await this.listener?.stop();
    const idle = new AbortController();
    const timeLimit = new Promise((resolve) => {
      const timer = setTimeout(resolve, LAST_ANSWERS_MS);
      idle.signal.addEventListener('abort', () => clearTimeout(timer));
    });
    const beside = [this.traceSender, this.failureSender].map((sender) => sender?.settle(LAST_ANSWERS_MS));
    await Promise.race([Promise.all([this.queue.idle(), ...beside]), timeLimit]);
    idle.abort();
    this.recordSender.close();
    this.traceSender?.close();
    this.failureSender.close();
    await Promise.all([this.input?.close(), this.output?.close()]);
  }

  private openTraceSender(): TraceSender | undefined {
    const { tracing, metrics } = this.options;
    if (tracing === undefined) return undefined;
    return new TraceSender({
      ...this.options,
      ...tracing,
      address: () => this.currentAddress,
      onOutcome: (outcome, messages) => {
        metrics.traced.inc({ outcome }, messages);
        if (outcome !== 'stored') this.warnings.warn(`messages of calls ${outcome}`, `${messages} at once`);
      },
    });
  }

  private openFailureSender(): SipFailureSender {
    const { failureReportMs: everyMs = 0, metrics } = this.options;
    return new SipFailureSender({
      ...this.options,
      everyMs,
      address: () => this.currentAddress,
      onOutcome: (outcome) => metrics.failureReports.inc({ outcome }),
    });
  }

  private get currentAddress(): CollectorAddress {
    const { address, alternative = address } = this.options;
    return this.recordSender.usesAlternative ? alternative : address;
  }

  private sweep(): void {
    this.feed.sweep(performance.now());
    this.failureLog.sweep(performance.now());
    this.failureSender.sweep(performance.now());
    this.input?.sweep();
    this.output?.sweep();
  }

  private async open(): Promise<void> {
    const { hep, metrics, logger, address } = this.options;
    this.listener = await HepListener.start({
      ...hep,
      connections: hepConnections(hep.tls === undefined ? 1 : 2, logger),
      postsSingly: () => this.recordSender.postsSingly,
      onPacket: (packet, bytes) => {
        metrics.packets[packet.content]++;
        this.input?.write('hep', bytes.toString('base64'));
        this.feed.process(packet, performance.now(), Date.now());
      },
      onRejected: (problem, message, from) => {
        metrics.rejected.inc({ problem });
        this.warnings.warn('packet is not HEP', `${message} (from ${from})`);
      },
    });
    const opening = await this.recordSender.open();
    if (!opening.ok)
      logger.warn({ collector: address.records.origin, reason: opening.reason }, 'collector not reachable yet');
  }

  private onDelivery(record: DiagnosticsRecord, delivery: Handled): void {
    const { outcome } = delivery;
    this.options.metrics.records.inc({ outcome });
    this.output?.write('record', this.options.frontEnd, outcome, this.asSent(record, delivery));
    if (delivery.outcome !== 'dropped') this.watch.onDelivery(delivery);
    if (outcome !== 'answered') {
      const reason = 'reason' in delivery ? delivery.reason : 'the queue is full (SUBMIT_QUEUE_LEN)';
      this.warnings.warn(`record ${outcome}`, reason);
    }
  }

  /** A record that was never sent has no sequence number. */
  private asSent(record: DiagnosticsRecord, delivery: Handled): string {
    if ('sent' in delivery && delivery.sent !== undefined) return delivery.sent;
    const { cseq: _none, ...connection } = record.connection;
    return writeRecord({ ...record, connection }, this.options.profile);
  }

  private textLog(name: string): TextLog | undefined {
    const { logs } = this.options;
    return logs && new TextLog({ ...logs, name, onProblem: (message) => this.warnings.warn('text log', message) });
  }
}
