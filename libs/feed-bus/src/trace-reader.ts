import { AckPolicy, DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import { isTraceBatch, TRACES_STREAM, type TraceBatch } from '@ringdown/contracts/traces';
import { reasonOf } from '@ringdown/errors';
import { ReadingLoop, type Bus } from '@ringdown/nats';
import { OutageLog, type Logger } from '@ringdown/observability';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureTracesStream } from './trace-stream.js';

export interface TraceReaderOptions {
  readonly bus: Bus;
  readonly logger: Logger;
  /** Called with one batch after the other; again with the same one when it rejects. */
  handle(batch: TraceBatch): Promise<void>;
  /** A message of the stream that is not a batch of this version; it is deleted. */
  onUnreadable(): void;
}

const READER = 'aggregator';
/** Batches that may be under way to one replica. */
const AHEAD = 4;
const ACKNOWLEDGE_NS = 30_000_000_000;
const RETRY_MS = 1_000;
/** Its name in the log of outages. */
const LOOP = 'traces';

/** Reads the stream of traces; all replicas share its batches. */
export class TraceReader {
  private readonly loop: ReadingLoop;
  private readonly outage: OutageLog;

  constructor(private readonly options: TraceReaderOptions) {
    const { bus, logger } = options;
    this.outage = new OutageLog({
      logger,
      failure: 'messages of calls cannot be stored; trying again',
      recovery: 'messages of calls are stored again',
    });
    this.loop = new ReadingLoop({ bus, name: LOOP, outage: this.outage, readOn: () => this.readOn() });
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async readOn(): Promise<void> {
    const { bus } = this.options;
    await ensureTracesStream(bus);
    await bus.jsm.consumers.add(TRACES_STREAM, {
      durable_name: READER,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: ACKNOWLEDGE_NS,
      max_ack_pending: 64,
    });
    const consumer = await bus.js.consumers.get(TRACES_STREAM, READER);
    for await (const { message } of this.loop.messages(consumer, AHEAD)) {
      if (this.loop.isStopping) {
        message.nak();
        return;
      }
      await this.process(message);
    }
  }

  private async process(message: JsMsg): Promise<void> {
    const batch = batchIn(message);
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
  private async isHandled(batch: TraceBatch): Promise<boolean> {
    try {
      await this.options.handle(batch);
      return true;
    } catch (error) {
      this.outage.failed(LOOP, reasonOf(error));
      return false;
    }
  }
}

function batchIn(message: JsMsg): TraceBatch | undefined {
  try {
    const value: unknown = message.json();
    return isTraceBatch(value) ? value : undefined;
  } catch {
    // Not JSON: only our own collectors may write here.
    return undefined;
  }
}
