import { SIP_FAILURES_SUBJECT, type SipFailureReport } from '@ringdown/contracts/sip-failures';
import { TRACES_SUBJECT, type TraceBatch } from '@ringdown/contracts/traces';
import { errorReason } from '@ringdown/errors';
import { BusUnavailable, type Bus } from '@ringdown/nats';
import { StreamWriter } from '@ringdown/nats/streams';
import { randomUUID } from 'node:crypto';

export interface BatchPublisherOptions {
  readonly bus: Bus;
  /** How long a batch may wait for its acknowledgement, milliseconds. */
  readonly timeoutMs?: number;
  /** Maximum of all batches under way, bytes; further ones are rejected at once. */
  readonly maxBytes?: number;
}

/** Stores what senders post beside records in JetStream: once each, because the sender tries again. */
class BatchPublisher<B> {
  private readonly writer: StreamWriter;
  private bytes = 0;

  constructor(
    private readonly options: BatchPublisherOptions,
    private readonly subject: string,
  ) {
    this.writer = new StreamWriter(options.bus);
  }

  /** Resolves when the batch is stored. Rejects with {@link BusUnavailable} when it is not. */
  async publish(batch: B): Promise<void> {
    const { bus, timeoutMs = 2_000, maxBytes = 8 * 1_024 * 1_024 } = this.options;
    const body = JSON.stringify(batch);
    if (this.bytes + body.length > maxBytes) throw new BusUnavailable('too many messages are waiting for the bus');
    this.bytes += body.length;
    try {
      bus.assertConnected();
      await this.writer.store({ subject: this.subject, body, id: randomUUID(), timeoutMs });
    } catch (error) {
      throw new BusUnavailable(`the message bus did not store the messages: ${errorReason(error)}`);
    } finally {
      this.bytes -= body.length;
    }
  }
}

/** Batches of messages of calls. */
export class TracePublisher extends BatchPublisher<TraceBatch> {
  constructor(options: BatchPublisherOptions) {
    super(options, TRACES_SUBJECT);
  }
}

/** Reports of failed SIP requests. */
export class SipFailurePublisher extends BatchPublisher<SipFailureReport> {
  constructor(options: BatchPublisherOptions) {
    super({ maxBytes: 1_024 * 1_024, ...options }, SIP_FAILURES_SUBJECT);
  }
}
