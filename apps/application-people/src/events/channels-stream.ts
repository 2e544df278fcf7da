import { DiscardPolicy } from '@nats-io/jetstream';
import { CHANNELS_STREAM, channelSubject } from '@ringdown/contracts';
import { ensureStream, type Bus } from '@ringdown/nats';

const DAY_MS = 86_400_000;

/** The stream of event channels: of each only the newest state. */
export async function ensureChannelsStream(bus: Bus): Promise<void> {
  const maxBytes = bus.maxBytesOf(CHANNELS_STREAM);
  await ensureStream(bus, {
    name: CHANNELS_STREAM,
    subjects: [channelSubject('*', '*')],
    // Counted from the last change; an application that lives this long without one is forgotten itself.
    maxAgeMs: 8 * DAY_MS,
    ...(maxBytes === undefined ? {} : { max_bytes: maxBytes }),
    // As buckets do: a session that nobody has changed for long keeps its events.
    discard: DiscardPolicy.New,
    max_msgs_per_subject: 1,
    // Longer than anybody tries again with the same message id; each id is kept in memory for this long.
    duplicatesMs: 30_000,
  });
}
