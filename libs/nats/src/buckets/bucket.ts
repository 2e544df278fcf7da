import { nanos } from '@nats-io/transport-node';
import { KvWatchInclude, Kvm, type KV, type KvWatchEntry } from '@nats-io/kv';
import { DiscardPolicy, JetStreamApiError, type StreamConfig } from '@nats-io/jetstream';
import { errorReason } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';
import type { Bus } from '../bus.js';
import { followKeys } from './follow-keys.js';
import { isNotAllowed } from '../not-allowed.js';
import { replicasConfig, withReplicas } from '../streams/replicas.js';
import { StreamWriter, unlessConflict } from '../streams/stream-writer.js';
import type { StreamRole } from '../streams/streams.js';
import { UnreadableEntry } from '../unreadable-entries.js';
import { isElecting, isNotKnownYet, whileElecting } from '../while-electing.js';

export interface BucketOptions<T> {
  readonly bus: Bus;
  readonly name: string;
  /** Entries older than this expire, milliseconds; 0 keeps them. */
  readonly maxAgeMs: number;
  /** Turns the stored JSON of a key into the exact type, or throws. */
  readonly parse: (value: unknown, key: string) => T;
  /** Default: `owner`. */
  readonly role?: StreamRole | undefined;
}

export interface Entry<T> {
  readonly value: T;
  readonly revision: number;
  /** When the bus stored it, milliseconds since 1970 by its clock. */
  readonly storedAt: number;
}

/** What was written; undefined for a deletion, and for an entry that cannot be read. */
export type Change<T> = Pick<Entry<T>, 'revision'> & { readonly value: T | undefined };

/** `revision`: of this change; smaller than one before it when all entries are reported again. */
export type FollowListener<T> = (key: string, value: T | undefined, isNewest: boolean, revision: number) => void;

/** As long as the client library waits. */
const WRITE_MS = 5_000;
/** Entries that are requested at the same time: of a bucket that others have filled, the last of all would come too late. */
const READ_AT_ONCE = 500;
/** Names of the operations that delete an entry; a written one has no such header. */
const DELETED = 'KV-Operation';
/** Part of a subject: with wildcards it would stand for other entries. */
const KEY = /^[-/=\w]+(?:\.[-/=\w]+)*$/;

/** Typed key-value storage on JetStream. Keys may hold letters, digits, `-`, `_`, `=`, `/` and `.`. */
export class Bucket<T> {
  private readonly writer: StreamWriter;

  private constructor(
    private readonly bus: Bus,
    private readonly name: string,
    private readonly kv: KV,
    private readonly parse: (value: unknown, key: string) => T,
    /** The names of all entries ever written under matching keys that have not expired. */
    private readonly names: (filter: string) => Promise<readonly string[]>,
  ) {
    this.writer = new StreamWriter(bus);
  }

  static async open<T>({ bus, name, maxAgeMs, parse, role = 'owner' }: BucketOptions<T>): Promise<Bucket<T>> {
    const maxBytes = bus.bucketSizes.maxBytesOf(name);
    const limit = maxBytes === undefined ? {} : { max_bytes: maxBytes };
    const replicas = bus.replicas === undefined ? {} : { replicas: bus.replicas };
    const options = { history: 1, ttl: maxAgeMs, ...limit, ...replicas };
    const kvm = new Kvm(bus.js);
    const create = (): Promise<KV> => withReplicas(bus, () => kvm.create(name, options));
    const kv = await (role === 'user' && !bus.hasJetStream ? kvm.open(name, { allow_direct: true }) : create());
    if (role === 'owner') {
      await updateLimits(bus, kv, { maxAgeMs, maxBytes });
      const again = async (): Promise<void> => updateLimits(bus, await create(), { maxAgeMs, maxBytes });
      bus.keptStreams.keep(`KV_${name}`, again);
    }
    return new Bucket(bus, name, kv, parse, async (filter) => {
      const prefix = `$KV.${name}.`;
      const { state } = await bus.jsm.streams.info(`KV_${name}`, { subjects_filter: prefix + filter });
      return Object.keys(state.subjects ?? {}).map((subject) => subject.slice(prefix.length));
    });
  }

  /**
   * Creates a bucket or updates its limits, for services that only write its entries (ADR 0083). If the
   * bus still has the permissions of an older version, the bucket stays as it is.
   */
  static async ensure(options: Pick<BucketOptions<unknown>, 'bus' | 'name' | 'maxAgeMs'>): Promise<void> {
    const { bus, name } = options;
    try {
      await Bucket.open({ ...options, parse: Object });
      await rejectRollups(bus, `KV_${name}`);
    } catch (error) {
      if (!isNotAllowed(error)) throw error;
      bus.logger.warn(
        { bucket: name, reason: errorReason(error) },
        'the limits of a bucket could not be updated; it keeps the old ones',
      );
    }
  }

  /**
   * An entry, as one of the servers has it. In a cluster, a server that has not caught up may return an older value, but
   * an entry that exists is found: a missing one is read again from the leader.
   */
  async get(key: string): Promise<Entry<T> | undefined> {
    const entry = await this.kv.get(key);
    if (entry !== null && entry.operation === 'PUT') {
      return { ...this.read(key, entry.revision, entry), storedAt: entry.created.getTime() };
    }
    // Other accounts may only read what the replicas have.
    return this.bus.isClustered && this.bus.hasJetStream ? this.readAtLeader(key) : undefined;
  }

  /** The newest value: for what is written after it, and where an older value would be a wrong answer. */
  getNewest(key: string): Promise<Entry<T> | undefined> {
    return this.bus.isClustered ? this.readAtLeader(key) : this.get(key);
  }

  async put(key: string, value: T): Promise<number> {
    return this.reportFull(this.kv.put(key, JSON.stringify(value)));
  }

  /** False when the key exists already. */
  async create(key: string, value: T): Promise<boolean> {
    return (await this.write(key, value, undefined)) !== undefined;
  }

  /** False when the entry was changed since `revision`. */
  async update(key: string, value: T, revision: number): Promise<boolean> {
    return (await this.write(key, value, revision)) !== undefined;
  }

  /**
   * Writes an entry that has not changed since `revision`, or does not exist without one. The new revision; undefined,
   * and nothing is written, when another writer was faster.
   */
  async write(key: string, value: T, revision: number | undefined): Promise<number | undefined> {
    if (!KEY.test(key)) throw new Error(`"${key}" cannot be the key of an entry`);
    const body = JSON.stringify(value);
    const subject = `$KV.${this.name}.${key}`;
    const store = (lastOfSubject: number): Promise<number | undefined> =>
      unlessConflict(this.reportFull(this.writer.store({ subject, body, lastOfSubject, timeoutMs: WRITE_MS })));
    const written = await store(revision ?? 0);
    if (written !== undefined || revision !== undefined) return written;
    // A deleted entry leaves a marker, after which this one may be written.
    const last = await this.kv.get(key);
    return last === null || last.operation === 'PUT' ? undefined : store(last.revision);
  }

  async delete(key: string): Promise<void> {
    await this.reportFull(this.kv.purge(key));
  }

  /**
   * As {@link delete}, but without the marker that a deletion leaves until entries of its age expire, also where a full bucket has no
   * room for it. Who follows the bucket is not told, and a server of a cluster that lags may still return the entry for a moment.
   */
  async erase(key: string): Promise<void> {
    await this.bus.jsm.streams.purge(`KV_${this.name}`, { filter: `$KV.${this.name}.${key}` });
  }

  /** False when the entry was changed since `revision`. */
  async deleteAt(key: string, revision: number): Promise<boolean> {
    const purged = await unlessConflict(
      this.reportFull(this.kv.purge(key, { previousSeq: revision }).then(() => true)),
    );
    return purged !== undefined;
  }

  /**
   * Reports each existing entry, then each change, in the order of revisions: a listener that gets one has got all
   * before it. A key without a value any more is reported as undefined; `isNewest` means that no later change is known
   * so far. Returns the function that unsubscribes.
   */
  follow(logger: Logger, listener: FollowListener<T>): () => void {
    const { bus, kv } = this;
    const each = (entry: KvWatchEntry): void => {
      const { key, revision, operation } = entry;
      const value = operation === 'PUT' ? this.readOrLeaveOut(key, revision, entry) : undefined;
      if (operation !== 'PUT' || value !== undefined) listener(key, value?.value, entry.delta === 0, revision);
    };
    return followKeys({ bus, kv, logger, onEntry: each });
  }

  /**
   * Reports the key of each entry with a matching key that is written from now on. Writes while the bus is disconnected
   * may not be reported. Returns the function that unsubscribes.
   */
  onChange(logger: Logger, listener: (key: string) => void, filter = '>'): () => void {
    const { bus, kv } = this;
    const watch = { key: filter, include: KvWatchInclude.UpdatesOnly, headers_only: true };
    return followKeys({ bus, kv, logger, onEntry: ({ key }) => listener(key), watch });
  }

  /**
   * The changes after a revision, in their order: for a service whose account has no consumer of the bucket to
   * {@link follow} it with.
   */
  async *writtenAfter(revision: number): AsyncGenerator<Change<T>> {
    const stream = `KV_${this.name}`;
    for (let next = revision + 1; ;) {
      const message = await this.bus.jsm.direct.getMessage(stream, { seq: next, next_by_subj: `$KV.${this.name}.>` });
      if (message === null) return;
      next = message.seq + 1;
      const key = message.subject.slice(`$KV.${this.name}.`.length);
      const entry = message.header.has(DELETED) ? undefined : this.readOrLeaveOut(key, message.seq, message);
      yield { value: entry?.value, revision: message.seq };
    }
  }

  /** Whether an entry with a matching key was ever written that has not expired. */
  async hasKeys(filter: string): Promise<boolean> {
    return (await this.names(filter)).length > 0;
  }

  /**
   * All existing entries that can be read, by key. The names come in one answer and are then read one by one. The listing
   * of the client library uses a consumer, which waits forever for entries that expire in the meantime.
   */
  async entries(filter = '>'): Promise<ReadonlyMap<string, Entry<T>>> {
    const found = new Map<string, Entry<T>>();
    const find = async (key: string): Promise<void> => {
      try {
        assertKey(this.name, key);
        const entry = await this.get(key);
        if (entry !== undefined) found.set(key, entry);
      } catch (error) {
        this.bus.unreadable.leaveOut(error);
      }
    };
    const names = await this.names(filter);
    for (let at = 0; at < names.length; at += READ_AT_ONCE)
      await Promise.all(names.slice(at, at + READ_AT_ONCE).map(find));
    return found;
  }

  /** The revision of the newest change of any entry, also of a deletion; 0 for a bucket that was never written. */
  async lastRevision(): Promise<number> {
    return (await this.bus.jsm.streams.info(`KV_${this.name}`)).state.last_seq;
  }

  private async readAtLeader(key: string): Promise<Entry<T> | undefined> {
    const subject = { last_by_subj: `$KV.${this.name}.${key}` };
    const message = await this.bus.jsm.streams.getMessage(`KV_${this.name}`, subject);
    if (message === null || message.header.has(DELETED)) return undefined;
    return { ...this.read(key, message.seq, message), storedAt: message.time.getTime() };
  }

  /** Throws an {@link UnreadableEntry}. */
  private read(key: string, revision: number, stored: { json(): unknown }): Pick<Entry<T>, 'value' | 'revision'> {
    assertKey(this.name, key);
    try {
      return { value: this.parse(stored.json(), key), revision };
    } catch (error) {
      throw new UnreadableEntry({ bucket: this.name, key, revision }, error);
    }
  }

  private readOrLeaveOut(key: string, revision: number, stored: { json(): unknown }): Change<T> | undefined {
    try {
      return this.read(key, revision, stored);
    } catch (error) {
      this.bus.unreadable.leaveOut(error);
      return undefined;
    }
  }

  private async reportFull<R>(writing: Promise<R>): Promise<R> {
    try {
      return await writing;
    } catch (error) {
      throw this.bus.bucketSizes.writeError(this.name, error);
    }
  }
}

/** A client of another account can write a key that is none, for example a wildcard. */
function assertKey(bucket: string, key: string): void {
  if (!KEY.test(key)) throw new UnreadableEntry({ bucket, key }, new Error('entries have no such keys'));
}

/** By the header `Nats-Rollup: all`, who may write one entry would purge all others. */
async function rejectRollups(bus: Bus, stream: string): Promise<void> {
  await whileElecting(async () => {
    const { config } = await bus.jsm.streams.info(stream);
    if (config.allow_rollup_hdrs) await bus.jsm.streams.update(stream, { allow_rollup_hdrs: false });
  });
}

/** The server detects repeated messages for this long, or for as long as it keeps them. */
const DUPLICATES_MS = 120_000;

interface BucketConfig {
  readonly maxAgeMs: number;
  /** Undefined: the limit is not changed. */
  readonly maxBytes: number | undefined;
}

/**
 * An existing bucket has the limits that it was created with, or none; the settings may have changed since. If the bus
 * rejects the change, for example an operator's server without enough space, the service continues with the old limits.
 */
async function updateLimits(bus: Bus, kv: KV, { maxAgeMs, maxBytes }: BucketConfig): Promise<void> {
  const { ttl, streamInfo } = await whileElecting(
    () => kv.status(),
    (error) => isElecting(error) || isNotKnownYet(error),
  );
  const { name, max_bytes: before, num_replicas } = streamInfo.config;
  if (bus.replicas !== undefined && bus.replicas !== num_replicas) {
    await withReplicas(bus, () => bus.jsm.streams.update(name, replicasConfig(bus)));
  }
  const limit = maxBytes ?? before;
  if (ttl === maxAgeMs && before === limit) return;
  const duplicatesMs = maxAgeMs === 0 ? DUPLICATES_MS : Math.min(maxAgeMs, DUPLICATES_MS);
  const changes: Partial<StreamConfig> = {
    max_age: nanos(maxAgeMs),
    duplicate_window: nanos(duplicatesMs),
    max_bytes: limit,
    // Existing entries are kept, even if they exceed the limit.
    discard: DiscardPolicy.New,
  };
  try {
    await whileElecting(() => bus.jsm.streams.update(name, changes));
  } catch (error) {
    if (!(error instanceof JetStreamApiError || isNotAllowed(error))) throw error;
    bus.logger.warn(
      { bucket: name, maxBytes: limit, reason: errorReason(error) },
      'the limits of a bucket could not be updated; it keeps the old ones',
    );
  }
}
