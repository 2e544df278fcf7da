import { DiscardPolicy, RetentionPolicy } from '@nats-io/jetstream';
import { SIP_FAILURES_STREAM, SIP_FAILURES_SUBJECT } from '@ringdown/contracts/sip-failures';
import type { Bus } from '@ringdown/nats';
import { ensureStream, type StreamRole } from '@ringdown/nats/streams';

/** A hundred reports of the maximum size that wait for the aggregators, and thousands of usual ones. */
export const SIP_FAILURES_MAX_BYTES = 8_388_608;
const DAY_MS = 86_400_000;

/** The stream of reports that are not stored yet. A full stream rejects new ones, whose failures their senders keep counting. */
export async function ensureSipFailuresStream(bus: Bus, role?: StreamRole): Promise<void> {
  const reports = {
    name: SIP_FAILURES_STREAM,
    subjects: [SIP_FAILURES_SUBJECT],
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    maxAgeMs: DAY_MS,
    max_bytes: SIP_FAILURES_MAX_BYTES,
  };
  await ensureStream(bus, reports, role);
}
