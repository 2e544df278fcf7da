import { DiscardPolicy } from '@nats-io/jetstream';
import { CHANNELS_STREAM, channelSubject } from '@ringdown/contracts/event-channels';
import type { Bus } from '@ringdown/nats';
import { ensureStream } from '@ringdown/nats/streams';

const DAY_MS = 86_400_000;

/** The stream of event channels: only the newest state of each. */
export async function ensureChannelsStream(bus: Bus): Promise<void> {
  const maxBytes = bus.bucketSizes.maxBytesOf(CHANNELS_STREAM);
  await ensureStream(bus, {
    name: CHANNELS_STREAM,
    subjects: [channelSubject('*', '*')],
    // Counted from the last change; an application that is unchanged for this long expires as well.
    maxAgeMs: 8 * DAY_MS,
    ...(maxBytes === undefined ? {} : { max_bytes: maxBytes }),
    // As in buckets: a channel that has not changed for a long time keeps its events.
    discard: DiscardPolicy.New,
    max_msgs_per_subject: 1,
    // Longer than any writer retries with the same message id; each id is kept in memory for this long.
    duplicatesMs: 30_000,
  });
}
