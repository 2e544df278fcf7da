import { JetStreamApiError, type StoredMsg } from '@nats-io/jetstream';
import { KeyedMutex } from '@ringdown/concurrency';
import { CHANNELS_STREAM, channelSubject } from '@ringdown/contracts';
import { BusFull, type Bus } from '@ringdown/nats';
import { randomUUID } from 'node:crypto';
import { NEW_CHANNEL, type Channel } from './channel.js';
import type { ChannelKey } from './channel-key.js';
import { ensureChannelsStream } from './channels-stream.js';

/** A channel as it is stored, with the number that every change of it makes greater. */
export interface StoredChannel {
  readonly channel: Channel;
  /** 0 for a channel that nobody has written yet. */
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

/** How long one change may take before it has failed, milliseconds. */
const DEADLINE_MS = 5_000;
const ATTEMPT_MS = 2_000;
const WRONG_LAST_SEQUENCE = 10_071;

/**
 * The event channels of all sessions in JetStream, one message each. A change is written only if the channel is still
 * as it was when the change was made up, so replicas that change the same channel at the same time take turns.
 */
export class ChannelStore {
  /** Changes of one channel wait here for each other. */
  private readonly mutex = new KeyedMutex();

  private constructor(private readonly bus: Bus) {}

  static async open(bus: Bus): Promise<ChannelStore> {
    await ensureChannelsStream(bus);
    return new ChannelStore(bus);
  }

  /** A channel nobody has written yet is a new one. */
  async read(key: ChannelKey): Promise<StoredChannel> {
    const subject = subjectOf(key);
    return storedOf(await this.bus.jsm.direct.getMessage(CHANNELS_STREAM, { last_by_subj: subject }));
  }

  /**
   * Changes a channel. `change` may be called several times, until its outcome could be written; given back unchanged,
   * the channel is not written. Rejects when the bus does not answer in time; it is then not known whether the change
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
        // What is read above may be a moment old in a cluster: nobody is told that nothing has to be done because of it.
        const newest = revision === undefined || channel === before.channel ? await this.readNewest(key) : before;
        if (revision !== undefined && newest.revision === before.revision) {
          return { before, after: { channel, revision }, result };
        }
        if (Date.now() > deadline) throw new Error('the channel is changed by others all the time');
        before = newest;
      }
    });
  }

  /** Forgets the channel and gives back what it was. */
  remove(key: ChannelKey): Promise<StoredChannel> {
    return this.mutex.runExclusive(subjectOf(key), async () => {
      const stored = await this.read(key);
      await this.bus.jsm.streams.purge(CHANNELS_STREAM, { filter: subjectOf(key) });
      return stored;
    });
  }

  /** Undefined when somebody else has changed the channel. The same message id on every try: it is written once at most. */
  private async write(
    key: ChannelKey,
    channel: Channel,
    { revision }: StoredChannel,
    deadline: number,
  ): Promise<number | undefined> {
    const body = JSON.stringify(channel);
    const options = { msgID: randomUUID(), expect: { lastSubjectSequence: revision } };
    for (;;) {
      try {
        const timeout = Math.max(1, Math.min(ATTEMPT_MS, deadline - Date.now()));
        const { seq } = await this.bus.js.publish(subjectOf(key), body, { ...options, timeout });
        return seq;
      } catch (error) {
        if (error instanceof JetStreamApiError && error.code === WRONG_LAST_SEQUENCE) return undefined;
        const refusal = this.bus.refusal(CHANNELS_STREAM, error);
        if (refusal instanceof BusFull || Date.now() + 50 >= deadline) throw refusal;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  /** From the server that takes the writes. */
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
  const value: unknown = message.json();
  if (!isChannel(value)) throw new Error(`the channel in message ${message.seq} is of no version that is known here`);
  return { channel: value, revision: message.seq };
}

/** Only this service writes here; the version says whether the rest is what we know. */
function isChannel(value: unknown): value is Channel {
  return typeof value === 'object' && value !== null && 'v' in value && value.v === 1;
}
