import { AckPolicy } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Bus } from './bus.js';

/**
 * The clock of the bus, milliseconds since 1970: the creation time of a new consumer. Servers before 2.10 send it in no
 * other reply.
 */
export async function busTime(bus: Bus, stream: string): Promise<number> {
  bus.assertConnected();
  const { name, created } = await bus.jsm.consumers.add(stream, {
    ack_policy: AckPolicy.None,
    inactive_threshold: nanos(5_000),
    mem_storage: true,
  });
  // The time is known already; the server soon removes a consumer that could not be deleted.
  await bus.jsm.consumers.delete(stream, name).catch(() => undefined);
  return Date.parse(created);
}
