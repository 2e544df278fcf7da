import { DiscardPolicy, RetentionPolicy } from '@nats-io/jetstream';
import { TRACES_STREAM, TRACES_SUBJECT } from '@ringdown/contracts/traces';
import type { Bus } from '@ringdown/nats';
import { ensureStream, type StreamRole } from '@ringdown/nats/streams';

/** About 45,000 messages that wait for the aggregators. */
export const TRACES_MAX_BYTES = 67_108_864;
const DAY_MS = 86_400_000;

/**
 * The stream of messages that are not stored yet. A full stream rejects new batches instead of deleting old ones: the
 * sender then counts what it drops.
 */
export async function ensureTracesStream(bus: Bus, role?: StreamRole): Promise<void> {
  const traces = {
    name: TRACES_STREAM,
    subjects: [TRACES_SUBJECT],
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    maxAgeMs: DAY_MS,
    max_bytes: TRACES_MAX_BYTES,
  };
  await ensureStream(bus, traces, role);
}
