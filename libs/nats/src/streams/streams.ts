import { DiscardPolicy, RetentionPolicy, StorageType, type StreamConfig, type StreamInfo } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { isDeepStrictEqual } from 'node:util';
import type { Bus } from '../bus.js';
import { replicasConfig, withReplicas } from './replicas.js';
import { isNotKnownYet, whileElecting } from '../while-electing.js';

/**
 * The owner updates the configuration of a stream; a writer or reader only creates it if it is missing, and only if its
 * account has streams (ADR 0083).
 */
export type StreamRole = 'owner' | 'user';

interface StreamOptions extends Partial<Omit<StreamConfig, 'max_age' | 'duplicate_window'>> {
  readonly name: string;
  readonly subjects: string[];
  readonly maxAgeMs: number;
  /** For how long a message with an id that was used before is not stored again. */
  readonly duplicatesMs?: number;
}

const DUPLICATES_MS = 120_000;

/**
 * Creates a stream, or updates its configuration; safe to call from every replica at start. Its owner also creates it again after an
 * interruption, if it is missing then.
 */
export async function ensureStream(bus: Bus, options: StreamOptions, role: StreamRole = 'owner'): Promise<void> {
  if (role === 'user' && !bus.hasJetStream) return;
  await createOrUpdate(bus, options, role === 'owner' ? 'any' : 'none');
  // Others may have changed its configuration since: what is there stays as it is.
  if (role === 'owner') bus.keptStreams.keep(options.name, () => createOrUpdate(bus, options, 'created'));
}

/** `updated`: which streams get this configuration, and the epoch in their description; all of them, or only one that was missing. */
async function createOrUpdate(bus: Bus, options: StreamOptions, updated: 'any' | 'created' | 'none'): Promise<void> {
  const { maxAgeMs, duplicatesMs = DUPLICATES_MS, ...own } = options;
  const config = {
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    allow_direct: true,
    max_age: nanos(maxAgeMs),
    duplicate_window: nanos(duplicatesMs),
    ...replicasConfig(bus),
    ...own,
  };
  const { found, isNew } = await existingOrAdded(bus, config);
  if (updated === 'none' || (updated === 'created' && !isNew)) return;
  const wanted = { ...found.config, ...config, description: streamEpoch(found) };
  if (!isDeepStrictEqual(wanted, found.config)) {
    await withReplicas(bus, () => bus.jsm.streams.update(own.name, wanted));
  }
}

async function existingOrAdded(
  bus: Bus,
  config: NewStream,
): Promise<{ readonly found: StreamInfo; readonly isNew: boolean }> {
  const existing = await findStream(bus, config.name);
  return { found: existing ?? (await withReplicas(bus, () => added(bus, config))), isNew: existing === undefined };
}

/** Undefined only if the stream does not exist; waits while a leader of the cluster is elected. */
export function findStream(bus: Bus, name: string): Promise<StreamInfo | undefined> {
  return whileElecting(async () => {
    try {
      return await bus.jsm.streams.info(name);
    } catch (error) {
      if (isNotKnownYet(error)) return undefined;
      throw error;
    }
  });
}

type NewStream = Partial<StreamConfig> & Pick<StreamConfig, 'name'>;

async function added(bus: Bus, config: NewStream): Promise<StreamInfo> {
  try {
    return await bus.jsm.streams.add(config);
  } catch (error) {
    // Another replica may have created and described it already.
    const info = await findStream(bus, config.name);
    if (info === undefined) throw error;
    return info;
  }
}

/**
 * Identifies one life of a stream, because a recreated stream starts its sequences again: its creation time, which is
 * written into its description. The creation time that the server reports changes at the second start after an update
 * (2.9).
 */
export function streamEpoch(info: Pick<StreamInfo, 'config' | 'created' | 'state'>): string {
  const { description = '' } = info.config;
  return description === '' || isRecreated(info) ? info.created : description;
}

/**
 * The description may be copied to a recreated stream: it then has no messages, or all from its very first message on.
 */
function isRecreated({ created, state }: Pick<StreamInfo, 'created' | 'state'>): boolean {
  const { first_seq: first, first_ts: firstAt, messages } = state;
  return first <= 1 && (messages === 0 || Date.parse(firstAt) >= Date.parse(created));
}
