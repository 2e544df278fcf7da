import { subscriberSubject } from '@ringdown/contracts/subscribers';
import { errorReason } from '@ringdown/errors';
import type { Bus } from '@ringdown/nats';
import type { Transport, SendResult } from './transport.js';
import type { OutgoingRequest } from './outgoing.js';
import type { SubscriberSettings } from './subscription.js';

/** Publishes to the subscriber's own subject on the bus. A subscriber that must not miss messages needs a stream for it. */
export class BusTransport implements Transport {
  private readonly subject: string;
  private readonly timeoutMs: number;

  constructor(
    private readonly bus: Bus,
    { name, send, requesttimeout }: SubscriberSettings,
  ) {
    this.subject = subscriberSubject(name.toLowerCase(), send);
    this.timeoutMs = requesttimeout * 1_000;
  }

  /** Accepted means stored by the server; a record is sent as JSON with its XML as a string. */
  async send({ contentType, body }: OutgoingRequest): Promise<SendResult> {
    const isJson = contentType === 'application/json';
    try {
      this.bus.assertConnected();
      this.bus.connection.publish(this.subject, isJson ? body : JSON.stringify({ xml: body }));
      await this.flush();
      return { ok: true };
    } catch (error) {
      return { ok: false, reason: errorReason(error) };
    }
  }

  close(): void {
    // The bus is closed by its owner.
  }

  private async flush(): Promise<void> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(new Error('the bus did not accept the message within the time limit')),
      this.timeoutMs,
    );
    try {
      await Promise.race([this.bus.connection.flush(), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}
