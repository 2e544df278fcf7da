import { AckPolicy, DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import { isSipFailureReport, SIP_FAILURES_STREAM, type SipFailureReport } from '@ringdown/contracts/sip-failures';
import { isTraceBatch, TRACES_STREAM, type TraceBatch } from '@ringdown/contracts/traces';
import { errorReason } from '@ringdown/errors';
import type { Bus } from '@ringdown/nats';
import { ReadingLoop } from '@ringdown/nats/reading';
import { OutageLog, type Logger } from '@ringdown/observability';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureSipFailuresStream } from './sip-failure-stream.js';
import { ensureTracesStream } from './trace-stream.js';

export interface BatchReaderOptions<B> {
  readonly bus: Bus;
  readonly logger: Logger;
  /** Called with one batch after the other; again with the same one when it rejects. */
  handle(batch: B): Promise<void>;
  /** A message of the stream that is not a batch of this version; it is deleted. */
  onUnreadable(): void;
}

const READER = 'aggregator';
/** Batches that may be under way to one replica. */
const AHEAD = 4;
const ACKNOWLEDGE_NS = 30_000_000_000;
const RETRY_MS = 1_000;

/** The work queue that is read. */
interface Queue<B> {
  readonly stream: string;
  /** Its name in the log of outages. */
  readonly loop: string;
  /** Completes "… cannot be stored". */
  readonly content: string;
  ensure(bus: Bus): Promise<void>;
  isBatch(value: unknown): value is B;
}

/** Reads a work queue; all replicas share its batches. */
class BatchReader<B> {
  private readonly loop: ReadingLoop;
  private readonly outage: OutageLog;

  constructor(
    private readonly options: BatchReaderOptions<B>,
    private readonly queue: Queue<B>,
  ) {
    const { bus, logger } = options;
    const { content, loop: name } = queue;
    this.outage = new OutageLog({
      logger,
      failure: `${content} cannot be stored; trying again`,
      recovery: `${content} are stored again`,
    });
    this.loop = new ReadingLoop({ bus, name, outage: this.outage, readOn: () => this.readOn() });
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async readOn(): Promise<void> {
    const { bus } = this.options;
    const { stream } = this.queue;
    await this.queue.ensure(bus);
    await bus.jsm.consumers.add(stream, {
      durable_name: READER,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: ACKNOWLEDGE_NS,
      max_ack_pending: 64,
    });
    const consumer = await bus.js.consumers.get(stream, READER);
    for await (const { message } of this.loop.messages(consumer, AHEAD)) {
      if (this.loop.isStopping) {
        message.nak();
        return;
      }
      await this.process(message);
    }
  }

  private async process(message: JsMsg): Promise<void> {
    const batch = this.batchIn(message);
    if (batch === undefined) {
      this.options.onUnreadable();
      message.term();
      return;
    }
    while (!(await this.isHandled(batch))) {
      if (this.loop.isStopping) return message.nak();
      await sleep(RETRY_MS);
      // Otherwise the bus would deliver it again meanwhile.
      message.working();
    }
    message.ack();
    this.loop.works();
  }

  /** Ending the reading instead would leave the batches behind this one until their time is over. */
  private async isHandled(batch: B): Promise<boolean> {
    try {
      await this.options.handle(batch);
      return true;
    } catch (error) {
      this.outage.failed(this.queue.loop, errorReason(error));
      return false;
    }
  }

  private batchIn(message: JsMsg): B | undefined {
    try {
      const value: unknown = message.json();
      return this.queue.isBatch(value) ? value : undefined;
    } catch {
      // Not JSON: only our own collectors may write here.
      return undefined;
    }
  }
}

/** Batches of messages of calls. */
export class TraceReader extends BatchReader<TraceBatch> {
  constructor(options: BatchReaderOptions<TraceBatch>) {
    super(options, {
      stream: TRACES_STREAM,
      loop: 'traces',
      content: 'messages of calls',
      ensure: ensureTracesStream,
      isBatch: isTraceBatch,
    });
  }
}

/** Reports of failed SIP requests. */
export class SipFailureReader extends BatchReader<SipFailureReport> {
  constructor(options: BatchReaderOptions<SipFailureReport>) {
    super(options, {
      stream: SIP_FAILURES_STREAM,
      loop: 'failed SIP requests',
      content: 'reports of failed SIP requests',
      ensure: ensureSipFailuresStream,
      isBatch: isSipFailureReport,
    });
  }
}
