import { TRACES_SUBJECT, type TraceBatch } from '@ringdown/contracts/traces';
import { reasonOf } from '@ringdown/errors';
import { BusUnavailable, StreamWriter, type Bus } from '@ringdown/nats';
import { randomUUID } from 'node:crypto';

export interface TracePublisherOptions {
  readonly bus: Bus;
  /** How long a batch may wait for its acknowledgement, milliseconds. */
  readonly timeoutMs?: number;
  /** Maximum of all batches under way, bytes; further ones are rejected at once. */
  readonly maxBytes?: number;
}

/** Stores batches of messages in JetStream: once each, because the sender tries again. */
export class TracePublisher {
  private readonly writer: StreamWriter;
  private bytes = 0;

  constructor(private readonly options: TracePublisherOptions) {
    this.writer = new StreamWriter(options.bus);
  }

  /** Resolves when the batch is stored. Rejects with {@link BusUnavailable} when it is not. */
  async publish(batch: TraceBatch): Promise<void> {
    const { bus, timeoutMs = 2_000, maxBytes = 8 * 1_024 * 1_024 } = this.options;
    const body = JSON.stringify(batch);
    if (this.bytes + body.length > maxBytes) throw new BusUnavailable('too many messages are waiting for the bus');
    this.bytes += body.length;
    try {
      bus.assertConnected();
      await this.writer.store({ subject: TRACES_SUBJECT, body, id: randomUUID(), timeoutMs });
    } catch (error) {
      throw new BusUnavailable(`the message bus did not store the messages: ${reasonOf(error)}`);
    } finally {
      this.bytes -= body.length;
    }
  }
}
