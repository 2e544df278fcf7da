import { AckPolicy } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Bus } from './bus.js';

/** The clock of the bus, milliseconds since 1970: when it makes a consumer of this stream. Servers before 2.10 tell it in no other answer. */
export async function busTime(bus: Bus, stream: string): Promise<number> {
  bus.assertConnected();
  const { name, created } = await bus.jsm.consumers.add(stream, {
    ack_policy: AckPolicy.None,
    inactive_threshold: nanos(5_000),
    mem_storage: true,
  });
  // The time is known; a consumer that stays is removed by the server soon.
  await bus.jsm.consumers.delete(stream, name).catch(() => undefined);
  return Date.parse(created);
}
