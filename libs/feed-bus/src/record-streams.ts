import { StoreCompression } from '@nats-io/jetstream';
import { FIXED_BUCKETS_BYTES } from '@ringdown/contracts/bucket-limits';
import { CALL_CHANGES_STREAM, CALLS_CHANGED_SUBJECT } from '@ringdown/contracts/calls';
import { BUNDLES_SUBJECT, RECORDS_STREAM, recordsSubject } from '@ringdown/contracts/records';
import {
  DEAD_LETTERS_STREAM,
  deadLetterSubject,
  REJECTED_STREAM,
  REJECTED_SUBJECT,
} from '@ringdown/contracts/set-aside';
import type { Bus } from '@ringdown/nats';
import { ensureStream, findStream, type StreamRole } from '@ringdown/nats/streams';
import { setting, type SettingValues } from '@ringdown/settings';
import { SIP_FAILURES_MAX_BYTES } from './sip-failure-stream.js';
import { TRACES_MAX_BYTES } from './trace-stream.js';

export const streamSettings = {
  recordsMaxAgeHours: setting.integer('RECORDS_MAX_AGE_HOURS', {
    task: 'retention',
    default: 72,
    min: 1,
    max: 8760,
    about: 'How long the bus keeps accepted records for replay',
  }),
  recordsMaxBytes: setting.integer('RECORDS_MAX_BYTES', {
    task: 'retention',
    default: 1_073_741_824,
    min: 1_048_576,
    max: Number.MAX_SAFE_INTEGER,
    about: 'Maximum size of the records on the bus, bytes before they are compressed; the oldest are deleted first',
  }),
};

export const deadLetterSettings = {
  deadLettersMaxAgeHours: setting.integer('DEAD_LETTERS_MAX_AGE_HOURS', {
    task: 'retention',
    default: 720,
    min: 1,
    max: 87_600,
    about: 'How long dead letters are kept: records that could not become part of a call',
  }),
  deadLettersMaxBytes: setting.integer('DEAD_LETTERS_MAX_BYTES', {
    task: 'retention',
    default: 268_435_456,
    min: 2_097_152,
    max: Number.MAX_SAFE_INTEGER,
    about: 'Maximum size of dead letters, bytes; the oldest are deleted first',
  }),
};

const MAX_REJECTED = 1_000;
const REJECTED_MAX_BYTES = MAX_REJECTED * 32_768;
const CALL_CHANGES_MAX_BYTES = 268_435_456;
/** The maximum total size of the streams and buckets whose limits are not settings. */
export const BUS_FIXED_BYTES =
  REJECTED_MAX_BYTES + CALL_CHANGES_MAX_BYTES + TRACES_MAX_BYTES + SIP_FAILURES_MAX_BYTES + FIXED_BUCKETS_BYTES;
const DAY_MS = 86_400_000;

/** Creates the streams of the feed, or updates their limits; safe to call from every replica at start. */
export async function ensureFeedStreams(
  bus: Bus,
  settings: SettingValues<typeof streamSettings>,
  role?: StreamRole,
): Promise<void> {
  const records = {
    name: RECORDS_STREAM,
    subjects: await recordSubjects(bus),
    maxAgeMs: settings.recordsMaxAgeHours * 3_600_000,
    max_bytes: settings.recordsMaxBytes,
    // A block of the file is compressed when the next one begins, in the background (ADR 0091).
    compression: StoreCompression.S2,
  };
  await ensureStream(bus, records, role);
  const rejected = {
    name: REJECTED_STREAM,
    subjects: [REJECTED_SUBJECT],
    maxAgeMs: 7 * DAY_MS,
    max_msgs: MAX_REJECTED,
    max_bytes: REJECTED_MAX_BYTES,
  };
  await ensureStream(bus, rejected, role);
}

const SINGLE_SUBJECTS = recordsSubject(0).replace(/0$/, '*');

/** Whether the stream stores bundles is not changed at a start: {@link offerBundles}. */
async function recordSubjects(bus: Bus): Promise<string[]> {
  if (!bus.hasJetStream) return [SINGLE_SUBJECTS];
  const known = await findStream(bus, RECORDS_STREAM);
  return known?.config.subjects.includes(BUNDLES_SUBJECT) === true
    ? [SINGLE_SUBJECTS, BUNDLES_SUBJECT]
    : [SINGLE_SUBJECTS];
}

/** From now on, collectors may store bundles. Returns whether they might not before. */
export async function offerBundles(bus: Bus): Promise<boolean> {
  const { config } = await bus.jsm.streams.info(RECORDS_STREAM);
  if (config.subjects.includes(BUNDLES_SUBJECT)) return false;
  await bus.jsm.streams.update(RECORDS_STREAM, { subjects: [SINGLE_SUBJECTS, BUNDLES_SUBJECT] });
  return true;
}

/** The stream of dead letters, which the aggregators write. */
export async function ensureDeadLettersStream(
  bus: Bus,
  settings: SettingValues<typeof deadLetterSettings>,
  role?: StreamRole,
): Promise<void> {
  const letters = {
    name: DEAD_LETTERS_STREAM,
    subjects: [deadLetterSubject('*')],
    maxAgeMs: settings.deadLettersMaxAgeHours * 3_600_000,
    max_bytes: settings.deadLettersMaxBytes,
  };
  await ensureStream(bus, letters, role);
}

/**
 * For live readers that come back, and for changes not yet sent to subscribers of calls; the oldest are dropped first.
 */
export async function ensureCallChangesStream(bus: Bus, role?: StreamRole): Promise<void> {
  const changes = {
    name: CALL_CHANGES_STREAM,
    subjects: [CALLS_CHANGED_SUBJECT],
    maxAgeMs: DAY_MS,
    max_bytes: CALL_CHANGES_MAX_BYTES,
    // Its messages have the same calls again and again, a little further each time.
    compression: StoreCompression.S2,
  };
  await ensureStream(bus, changes, role);
}
