import { errorReason } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** One item of what is followed: a message, a report. */
export interface FollowedItem {
  readonly id: string;
  /** An item that has another revision than before is sent again. */
  readonly revision: number;
  /** JSON as the reader may see it. */
  readonly text: () => Promise<string>;
}

/** What is known of a call, or of a conversation. */
export interface FollowedItems {
  /** Of the calls that the items belong to. */
  readonly callKeys: ReadonlySet<string>;
  readonly items: readonly FollowedItem[];
}

export interface ItemReaderOptions {
  readonly output: Writable;
  /** The name of the events. */
  readonly event: string;
  readonly read: () => Promise<FollowedItems>;
  /** Milliseconds since 1970. */
  readonly allowedUntil: number;
  /** Calls back when access is revoked before it expires; returns a function that unsubscribes. */
  readonly onRevoked: (callback: () => void) => () => void;
  /** Checked repeatedly: roles change, and a broadcast may have been missed. */
  readonly isStillAllowed: () => Promise<boolean>;
  readonly logger: Logger;
}

/** Items of a busy call arrive in many batches; they are read together. */
const GATHER_MS = 250;
/** Also without a notice, which may get lost: the items are read again. */
const AGAIN_MS = 15_000;
/** A reader that receives nothing for this long is gone, even if its connection is still open. */
const STUCK_MS = 60_000;

/** One reader of the items of a call: an event for each item, again when it has changed. */
export class ItemReader {
  private readonly ended = new AbortController();
  /** The revision of each item that was sent. */
  private readonly sent = new Map<string, number>();
  private followed: FollowedItems = { callKeys: new Set(), items: [] };
  private isStale = false;
  private wake: () => void = () => undefined;

  constructor(private readonly options: ItemReaderOptions) {}

  /** Reads the first items in advance, so that a failure can still be sent as an error response. */
  async prepare(): Promise<void> {
    this.followed = await this.options.read();
  }

  /** `keys`: of calls that have new items; undefined when any may have. */
  onChanged(keys: ReadonlySet<string> | undefined): void {
    if (keys?.isDisjointFrom(this.followed.callKeys) === true) return;
    this.isStale = true;
    this.wake();
  }

  end(): void {
    this.ended.abort();
    this.wake();
  }

  /** Runs until the reader leaves, loses access, or is ended. */
  async run(): Promise<void> {
    const { output, allowedUntil, onRevoked } = this.options;
    const end = (): void => this.end();
    output.on('close', end).on('error', end);
    // A timer cannot wait longer than this; access is checked repeatedly anyway.
    const timer = setTimeout(end, Math.min(Math.max(allowedUntil - Date.now(), 0), 2 ** 31 - 1));
    const stopListening = onRevoked(end);
    try {
      while (!this.ended.signal.aborted) {
        await this.sendNew();
        await this.waitForMore();
        await this.readAgain();
      }
    } finally {
      clearTimeout(timer);
      stopListening();
      if (output.writableNeedDrain) output.destroy();
      else output.end();
    }
  }

  private async sendNew(): Promise<void> {
    const { event } = this.options;
    for (const { id, revision, text } of this.followed.items) {
      if (this.sent.get(id) === revision) continue;
      if (this.ended.signal.aborted) return;
      this.sent.set(id, revision);
      // JSON has no line breaks.
      await this.write(`event: ${event}\ndata: ${await text()}\n\n`);
    }
  }

  private async waitForMore(): Promise<void> {
    if (this.isStale || this.ended.signal.aborted) return this.pause(GATHER_MS);
    const woken = new Promise<boolean>((resolve) => {
      this.wake = () => resolve(true);
    });
    const timer = new AbortController();
    const waited = sleep(AGAIN_MS, false, { signal: timer.signal }).catch(() => false);
    const isWoken = await Promise.race([woken, waited]);
    timer.abort();
    if (isWoken) return this.pause(GATHER_MS);
    if (!(await this.options.isStillAllowed())) return this.end();
    await this.write(': still here\n\n');
  }

  private async readAgain(): Promise<void> {
    if (this.ended.signal.aborted) return;
    this.isStale = false;
    try {
      this.followed = await this.options.read();
    } catch (error) {
      this.options.logger.warn({ reason: errorReason(error) }, 'items for a live reader could not be read');
    }
  }

  private async pause(milliseconds: number): Promise<void> {
    // Ends early when the reader ends.
    await sleep(milliseconds, undefined, { signal: this.ended.signal }).catch(() => undefined);
  }

  private async write(text: string): Promise<void> {
    const { output } = this.options;
    if (this.ended.signal.aborted || output.write(text)) return;
    const stuck = AbortSignal.timeout(STUCK_MS);
    try {
      await once(output, 'drain', { signal: AbortSignal.any([stuck, this.ended.signal]) });
    } catch {
      // Too slow or gone: either way no one is reading.
      this.end();
      if (stuck.aborted) output.destroy();
    }
  }
}
