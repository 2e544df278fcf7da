import { DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import { partitionsInSubject, RECORDS_STREAM, subjectNumber } from '@ringdown/contracts/records';
import type { Bus } from '@ringdown/nats';
import { consume, dropConsumer, type Reading } from '@ringdown/nats/reading';
import type { Logger } from '@ringdown/observability';
import { setTimeout as sleep } from 'node:timers/promises';
import { WindowPlace, type HeldMessage } from './window-place.js';

/** Bytes of the messages that are held until all partitions have read them. */
const WINDOW_BYTES = 16 * 1024 * 1024;
/**
 * A partition that reads nothing for so long, while the window is full and another one waits, reads alone. Longer than batches of all
 * partitions take after one another on a busy machine.
 */
const STANDS_MS = 20_000;

/** Partitions that begin at about the same time need the same messages. */
const BEGIN_AFTER_MS = 50;

export interface RecordsWindowOptions {
  readonly bus: Bus;
  readonly logger: Logger;
  readonly maxBytes?: number;
  readonly standsMs?: number;
}

/** Where a partition is, and how many messages of the stream are about as large as the window. */
export interface PlaceWanted {
  readonly partition: number;
  /** Sequence of the last message that was read. */
  readonly after: number;
  readonly reach: number;
}

/**
 * One consumer of the stream of records for all partitions of a replica: it holds each message until all partitions
 * have read it that are named in its subject. It reads while partitions have places in it, and has no position of its
 * own: a reader that loses its place starts again at its position (ADR 0086).
 */
export class RecordsWindow {
  private readonly places = new Set<WindowPlace>();
  private readonly maxBytes: number;
  private readonly standsMs: number;
  /** Sequence of the last message that the bus has delivered, or after which it begins. */
  private at = 0;
  /** Messages of the stream behind it, of all partitions. */
  private pending = 0;
  private ahead = 0;
  private bytes = 0;
  private delivery: Reading | undefined;
  private isRunning = false;
  /** The bus has to deliver from another sequence, or nothing more. */
  private isOutdated = false;
  private wake: (() => void) | undefined;

  constructor(private readonly options: RecordsWindowOptions) {
    this.maxBytes = options.maxBytes ?? WINDOW_BYTES;
    this.standsMs = options.standsMs ?? STANDS_MS;
  }

  /** Whether a partition can read from here, and not too many messages would be delivered again, or in vain, for it. */
  isNear({ after, reach }: Omit<PlaceWanted, 'partition'>): boolean {
    return this.places.size === 0 || Math.abs(this.at - after) <= 2 * reach;
  }

  /** To be called when it {@link isNear}. */
  join({ partition, after, reach }: PlaceWanted): WindowPlace {
    const place = new WindowPlace(subjectNumber(partition), after, {
      taken: (held) => this.taken(held),
      left: () => this.left(place),
      pending: () => this.pending,
    });
    this.places.add(place);
    this.ahead = reach;
    if (!this.isRunning) void this.run(after);
    else if (after < this.at) this.deliverAgain();
    return place;
  }

  private async run(after: number): Promise<void> {
    this.isRunning = true;
    this.at = after;
    await sleep(BEGIN_AFTER_MS);
    while (this.places.size > 0) {
      this.isOutdated = false;
      this.at = Math.min(...[...this.places].map(({ seen }) => seen));
      try {
        await this.deliver();
        if (!this.isOutdated) this.places.forEach((place) => place.stop());
      } catch (error) {
        if (!this.isOutdated) this.places.forEach((place) => place.fail(error));
      }
    }
    this.isRunning = false;
  }

  /** Resolves when the consumer is lost or no longer wanted. */
  private async deliver(): Promise<void> {
    const { bus, logger } = this.options;
    bus.assertConnected();
    const from = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: this.at + 1 };
    const consumer = await bus.js.consumers.get(RECORDS_STREAM, from);
    try {
      this.delivery = await consume(consumer, Math.ceil(this.ahead / 2));
      if (this.isOutdated) return;
      for await (const message of this.delivery) {
        if (this.isOutdated) return;
        this.hold(message);
        while (this.bytes >= this.maxBytes && !this.isOutdated) await this.someTaken();
      }
    } finally {
      this.delivery?.stop();
      this.delivery = undefined;
      void dropConsumer(bus, consumer, logger);
    }
  }

  private hold(message: JsMsg): void {
    if (message.seq <= this.at) throw new Error('the sequence numbers of the stream of records went back');
    this.at = message.seq;
    this.pending = message.info.pending;
    const named = partitionsInSubject(message.subject);
    const held = { message, bytes: message.data.length, holders: 0 };
    for (const place of this.places) if (place.offer(held, named)) held.holders++;
    if (held.holders > 0) this.bytes += held.bytes;
  }

  private taken(held: HeldMessage): void {
    held.holders--;
    if (held.holders === 0) this.bytes -= held.bytes;
    this.wake?.();
  }

  private async someTaken(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.standsMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.wake = undefined;
    const [slowest, ...others] = [...this.places].toSorted((a, b) => a.oldest - b.oldest);
    if (slowest === undefined || slowest.standsForMs < this.standsMs || !others.some(({ isIdle }) => isIdle)) return;
    this.options.logger.info(
      { subject: slowest.subject },
      'a partition is slower than others and reads alone until it has caught up',
    );
    slowest.isTooSlow = true;
    slowest.stop();
  }

  private left(place: WindowPlace): void {
    this.places.delete(place);
    if (this.places.size === 0) this.deliverAgain();
  }

  private deliverAgain(): void {
    this.isOutdated = true;
    this.delivery?.stop();
    this.wake?.();
  }
}
