import type { JsMsg } from '@nats-io/jetstream';
import type { Reading } from '@ringdown/nats/reading';

/** A message of the window, and how many places have not taken it yet. */
export interface HeldMessage {
  readonly message: JsMsg;
  readonly bytes: number;
  holders: number;
}

/** What a place tells its window, and asks it. */
interface WindowOfPlace {
  taken(held: HeldMessage): void;
  left(): void;
  /** Messages of all partitions that the bus has not delivered yet. */
  pending(): number;
}

/** What one partition has not read yet of the messages of a window. */
export class WindowPlace implements Reading {
  private readonly waiting: HeldMessage[] = [];
  private movedAt = performance.now();
  private isOver = false;
  private failure: { readonly error: unknown } | undefined;
  private wake: (() => void) | undefined;
  /** Its reader was too slow for the others. Nothing is lost: it can go on behind the last message that it has got. */
  isTooSlow = false;

  /** `seen`: the sequence up to which it has got all messages, or needs none. */
  constructor(
    readonly subject: number,
    public seen: number,
    private readonly window: WindowOfPlace,
  ) {}

  /** Messages that are still to be read; undefined while it is not known which partitions those on the bus concern. */
  get backlog(): number | undefined {
    return this.window.pending() === 0 ? this.waiting.length : undefined;
  }

  /** The sequence of the message that it has to read next. */
  get oldest(): number {
    return this.waiting[0]?.message.seq ?? Infinity;
  }

  /** Whether it could read more than the window has. */
  get isIdle(): boolean {
    return this.wake !== undefined;
  }

  /** For how long it has read none of the messages that it could read. */
  get standsForMs(): number {
    return this.waiting.length === 0 ? 0 : performance.now() - this.movedAt;
  }

  /** Returns whether it keeps the message; `concerned`: the partitions that have records in it. */
  offer(held: HeldMessage, concerned: readonly number[]): boolean {
    const { seq } = held.message;
    if (seq <= this.seen) return false;
    this.seen = seq;
    if (!concerned.includes(this.subject)) return false;
    if (this.waiting.length === 0) this.movedAt = performance.now();
    this.waiting.push(held);
    this.wake?.();
    return true;
  }

  isMoreHere(): boolean {
    return this.waiting.length > 0;
  }

  stop(): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const held of this.waiting.splice(0)) this.window.taken(held);
    this.wake?.();
    this.window.left();
  }

  /** The window cannot go on: what it has not read may no longer be what the bus has. */
  fail(error: unknown): void {
    this.failure = { error };
    this.stop();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<JsMsg> {
    while (!this.isOver) {
      const held = this.waiting.shift();
      if (held === undefined) await this.more();
      else {
        this.movedAt = performance.now();
        this.window.taken(held);
        yield held.message;
      }
    }
    if (this.failure !== undefined) throw this.failure.error;
  }

  private async more(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.wake = resolve;
    });
    this.wake = undefined;
  }
}
