import { DiscardPolicy, RetentionPolicy, StorageType, type StreamConfig, type StreamInfo } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { setting, type SettingValues } from '@ringdown/settings';
import { isDeepStrictEqual } from 'node:util';
import { FIXED_BUCKETS_BYTES, maxBytesOf } from './bucket-limits.js';
import type { Bus } from './bus.js';
import {
  CALL_CHANGES_STREAM,
  CALLS_CHANGED_SUBJECT,
  CHANNELS_STREAM,
  channelSubject,
  DEAD_LETTERS_STREAM,
  deadLetterSubject,
  RECORDS_STREAM,
  recordsSubject,
  REJECTED_STREAM,
  REJECTED_SUBJECT,
} from './subjects.js';

export const streamSettings = {
  recordsMaxAgeHours: setting.integer('RECORDS_MAX_AGE_HOURS', {
    default: 72,
    min: 1,
    max: 8760,
    about: 'How long the bus keeps accepted records for replay',
  }),
  recordsMaxBytes: setting.integer('RECORDS_MAX_BYTES', {
    default: 1_073_741_824,
    min: 1_048_576,
    max: Number.MAX_SAFE_INTEGER,
    about: 'How many bytes of records the bus keeps; the oldest go first',
  }),
};

export const deadLetterSettings = {
  deadLettersMaxAgeHours: setting.integer('DEAD_LETTERS_MAX_AGE_HOURS', {
    default: 720,
    min: 1,
    max: 87_600,
    about: 'How long records that could not become part of a call are kept',
  }),
  deadLettersMaxBytes: setting.integer('DEAD_LETTERS_MAX_BYTES', {
    default: 268_435_456,
    min: 2_097_152,
    max: Number.MAX_SAFE_INTEGER,
    about: 'How many bytes of them are kept; the oldest go first',
  }),
};

const REJECTED_KEPT = 1_000;
const REJECTED_MAX_BYTES = REJECTED_KEPT * 32_768;
const CALL_CHANGES_MAX_BYTES = 268_435_456;
/** What the streams and buckets may grow to whose limits are no settings. */
export const BUS_FIXED_BYTES = REJECTED_MAX_BYTES + CALL_CHANGES_MAX_BYTES + FIXED_BUCKETS_BYTES;
const DAY_MS = 86_400_000;

/** Creates the streams of the feed, or brings their limits up to date; safe to call from every replica at start. */
export async function ensureFeedStreams(
  bus: Bus,
  settings: SettingValues<typeof streamSettings>,
  role?: StreamRole,
): Promise<void> {
  const records = {
    name: RECORDS_STREAM,
    subjects: [recordsSubject(0).replace(/0$/, '*')],
    max_age: nanos(settings.recordsMaxAgeHours * 3_600_000),
    max_bytes: settings.recordsMaxBytes,
  };
  await ensureStream(bus, records, role);
  const rejected = {
    name: REJECTED_STREAM,
    subjects: [REJECTED_SUBJECT],
    max_age: nanos(7 * DAY_MS),
    max_msgs: REJECTED_KEPT,
    max_bytes: REJECTED_MAX_BYTES,
  };
  await ensureStream(bus, rejected, role);
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
    max_age: nanos(settings.deadLettersMaxAgeHours * 3_600_000),
    max_bytes: settings.deadLettersMaxBytes,
  };
  await ensureStream(bus, letters, role);
}

/** For live readers that come back, and what subscribers of calls have not been sent yet; the oldest changes go first. */
export async function ensureCallChangesStream(bus: Bus, role?: StreamRole): Promise<void> {
  const changes = {
    name: CALL_CHANGES_STREAM,
    subjects: [CALLS_CHANGED_SUBJECT],
    max_age: nanos(DAY_MS),
    max_bytes: CALL_CHANGES_MAX_BYTES,
  };
  await ensureStream(bus, changes, role);
}

/** The stream of event channels: of each only the newest state. */
export async function ensureChannelsStream(bus: Bus): Promise<void> {
  await ensureStream(bus, {
    name: CHANNELS_STREAM,
    subjects: [channelSubject('*', '*')],
    // Counted from the last change; an application that lives this long without one is forgotten itself.
    max_age: nanos(8 * DAY_MS),
    max_bytes: maxBytesOf(CHANNELS_STREAM, bus.stateMaxBytes),
    // As buckets do: a session that nobody has changed for long keeps its events.
    discard: DiscardPolicy.New,
    max_msgs_per_subject: 1,
    // Longer than anybody tries again with the same message id; each id is kept in memory for this long.
    duplicate_window: nanos(30_000),
  });
}

/** Its owner brings a stream up to date; who only writes or reads it makes it where it is missing (ADR 0039). */
export type StreamRole = 'owner' | 'user';

type OwnConfig = Pick<StreamConfig, 'name' | 'subjects' | 'max_age' | 'max_bytes'> & Partial<StreamConfig>;

async function ensureStream(bus: Bus, own: OwnConfig, role: StreamRole = 'owner'): Promise<void> {
  const config = {
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    allow_direct: true,
    duplicate_window: nanos(120_000),
    ...own,
  };
  const existing = await bus.jsm.streams.info(own.name).catch(() => undefined);
  const found = existing ?? (await added(bus, config));
  const wanted = { ...found.config, ...config, description: streamLife(found) };
  if (role === 'owner' && !isDeepStrictEqual(wanted, found.config)) await bus.jsm.streams.update(own.name, wanted);
}

async function added(bus: Bus, config: OwnConfig): Promise<StreamInfo> {
  try {
    return await bus.jsm.streams.add(config);
  } catch (error) {
    // Another replica may have been faster, and have described it already.
    const info = await bus.jsm.streams.info(config.name).catch(() => undefined);
    if (info === undefined) throw error;
    return info;
  }
}

/**
 * Tells one life of a stream from the next, whose numbers start again: when it was made, which is written into its
 * description. What the server itself says of that changes with the second start after an update (2.9).
 */
export function streamLife(info: Pick<StreamInfo, 'config' | 'created' | 'state'>): string {
  const { description = '' } = info.config;
  return description === '' || isMadeAnew(info) ? info.created : description;
}

/** Whoever makes a stream anew may take over the description: a new one has nothing, or all of it from its very first message. */
function isMadeAnew({ created, state }: Pick<StreamInfo, 'created' | 'state'>): boolean {
  const { first_seq: first, first_ts: firstAt, messages } = state;
  return first <= 1 && (messages === 0 || Date.parse(firstAt) >= Date.parse(created));
}
