import { reasonOf } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageItem } from './message-forms.js';

/** The messages of a call, or of a conversation, as its reader sees them. */
export interface FollowedMessages {
  /** Of the calls that the messages belong to. */
  readonly callKeys: ReadonlySet<string>;
  readonly items: readonly MessageItem[];
}

export interface MessageReaderOptions {
  readonly output: Writable;
  readonly read: () => Promise<FollowedMessages>;
  /** Milliseconds since 1970. */
  readonly allowedUntil: number;
  /** Calls back when access is revoked before it expires; returns a function that unsubscribes. */
  readonly onRevoked: (callback: () => void) => () => void;
  /** Checked repeatedly: roles change, and a broadcast may have been missed. */
  readonly isStillAllowed: () => Promise<boolean>;
  readonly logger: Logger;
}

/** Messages of a busy call arrive in many batches; they are read together. */
const GATHER_MS = 250;
/** Also without a notice, which may get lost: the messages are read again. */
const AGAIN_MS = 15_000;
/** A reader that receives nothing for this long is gone, even if its connection is still open. */
const STUCK_MS = 60_000;

/** One reader of the messages of a call: an event for each message, again when another point has captured it too. */
export class MessageReader {
  private readonly ended = new AbortController();
  /** The number of points of each message that was sent. */
  private readonly sent = new Map<string, number>();
  private messages: FollowedMessages = { callKeys: new Set(), items: [] };
  private isStale = false;
  private wake: () => void = () => undefined;

  constructor(private readonly options: MessageReaderOptions) {}

  /** Reads the first messages in advance, so that a failure can still be sent as an error response. */
  async prepare(): Promise<void> {
    this.messages = await this.options.read();
  }

  /** `keys`: of calls of which messages were stored. */
  onStored(keys: ReadonlySet<string>): void {
    if (keys.isDisjointFrom(this.messages.callKeys)) return;
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
    for (const item of this.messages.items) {
      if (this.sent.get(item.id) === item.points.length) continue;
      this.sent.set(item.id, item.points.length);
      // JSON has no line breaks.
      await this.write(`event: message\ndata: ${JSON.stringify(item)}\n\n`);
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
      this.messages = await this.options.read();
    } catch (error) {
      this.options.logger.warn({ reason: reasonOf(error) }, 'messages for a live reader could not be read');
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
