import type { StoredMsg } from '@nats-io/jetstream';
import { KeyedMutex } from '@ringdown/concurrency';
import { CHANNELS_STREAM, channelSubject } from '@ringdown/contracts/event-channels';
import { BusFull, type Bus } from '@ringdown/nats';
import { StreamWriter, unlessConflict } from '@ringdown/nats/streams';
import { randomUUID } from 'node:crypto';
import { storedParser } from '../stored-entries/stored-parser.js';
import { NEW_CHANNEL, type Channel } from './channel.js';
import type { ChannelKey } from './channel-key.js';
import { ensureChannelsStream } from './channels-stream.js';

/** A channel as it is stored, with its revision, which grows with every change. */
export interface StoredChannel {
  readonly channel: Channel;
  /** 0 for a channel that was never written. */
  readonly revision: number;
}

export interface ChannelChange<T> {
  readonly channel: Channel;
  readonly result: T;
}

export interface ChangedChannel<T> {
  readonly before: StoredChannel;
  readonly after: StoredChannel;
  readonly result: T;
}

/** The time limit of one change, milliseconds. */
const DEADLINE_MS = 5_000;
const ATTEMPT_MS = 2_000;

const parse = storedParser<Channel>('an event channel');

/**
 * The event channels of all sessions in JetStream, one message each. A change is written only if the channel has not
 * changed since it was read, so replicas that change the same channel at the same time do so one after another.
 */
export class ChannelStore {
  /** Changes of one channel are made one after another. */
  private readonly mutex = new KeyedMutex();

  private readonly writer: StreamWriter;

  private constructor(private readonly bus: Bus) {
    this.writer = new StreamWriter(bus);
  }

  static async open(bus: Bus): Promise<ChannelStore> {
    await ensureChannelsStream(bus);
    return new ChannelStore(bus);
  }

  /** A channel that was never written is a new one. */
  async read(key: ChannelKey): Promise<StoredChannel> {
    const subject = subjectOf(key);
    return storedOf(await this.bus.jsm.direct.getMessage(CHANNELS_STREAM, { last_by_subj: subject }));
  }

  /**
   * Changes a channel. `change` may be called several times, until its result can be written; when it returns the same
   * channel, nothing is written. Rejects when the bus does not reply in time; it is then not known whether the change
   * was made.
   */
  change<T>(key: ChannelKey, change: (channel: Channel) => ChannelChange<T>): Promise<ChangedChannel<T>> {
    return this.mutex.runExclusive(subjectOf(key), async () => {
      const deadline = Date.now() + DEADLINE_MS;
      let before = await this.read(key);
      for (;;) {
        const { channel, result } = change(before.channel);
        const revision =
          channel === before.channel ? before.revision : await this.write(key, channel, before, deadline);
        // In a cluster, what is read above may be slightly old: do not report "nothing to do" because of it.
        const newest = revision === undefined || channel === before.channel ? await this.readNewest(key) : before;
        if (revision !== undefined && newest.revision === before.revision) {
          return { before, after: { channel, revision }, result };
        }
        if (Date.now() > deadline) throw new Error('could not write the channel: other replicas keep changing it');
        before = newest;
      }
    });
  }

  /** Deletes the channel and returns its last state. */
  remove(key: ChannelKey): Promise<StoredChannel> {
    return this.mutex.runExclusive(subjectOf(key), async () => {
      const stored = await this.read(key);
      await this.bus.jsm.streams.purge(CHANNELS_STREAM, { filter: subjectOf(key) });
      return stored;
    });
  }

  /**
   * Undefined when another writer has changed the channel. Every try has the same message id, so it is written at most
   * once.
   */
  private async write(
    key: ChannelKey,
    channel: Channel,
    { revision }: StoredChannel,
    deadline: number,
  ): Promise<number | undefined> {
    const body = JSON.stringify(channel);
    const message = { subject: subjectOf(key), body, id: randomUUID(), lastOfSubject: revision };
    for (;;) {
      try {
        const timeoutMs = Math.max(1, Math.min(ATTEMPT_MS, deadline - Date.now()));
        return await unlessConflict(this.writer.store({ ...message, timeoutMs }));
      } catch (error) {
        const refusal = this.bus.bucketSizes.writeError(CHANNELS_STREAM, error);
        if (refusal instanceof BusFull || Date.now() + 50 >= deadline) throw refusal;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  /** Reads from the server that accepts the writes. */
  private async readNewest(key: ChannelKey): Promise<StoredChannel> {
    const subject = subjectOf(key);
    return storedOf(await this.bus.jsm.streams.getMessage(CHANNELS_STREAM, { last_by_subj: subject }));
  }
}

function subjectOf({ applicationId, instance }: ChannelKey): string {
  return channelSubject(applicationId, instance);
}

function storedOf(message: StoredMsg | null): StoredChannel {
  if (message === null || message.data.length === 0) return { channel: NEW_CHANNEL, revision: 0 };
  return { channel: parse(message.json()), revision: message.seq };
}
