import { errorReason } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { callKey } from '../calls/call-keys.js';
import type { Call } from '../calls/call.js';
import { liveEventId, type LivePosition } from './live-position.js';
import type { LiveChange } from './recent-changes.js';
import type { Snapshot } from './snapshot.js';

export interface LiveReaderOptions {
  readonly output: Writable;
  readonly snapshot: () => Promise<Snapshot>;
  /** JSON as this reader may see it; undefined for a call that cannot be shown to this reader. */
  readonly textOfCall: (call: Call) => Promise<string | undefined>;
  readonly textOfSnapshot: (snapshot: Snapshot) => Promise<string>;
  /** Milliseconds since 1970. */
  readonly allowedUntil: number;
  /** Calls back when access is revoked before it expires; returns a function that unsubscribes. */
  readonly onRevoked: (callback: () => void) => () => void;
  /** Checked repeatedly: roles change, and a broadcast may have been missed. */
  readonly isStillAllowed: () => Promise<boolean>;
  readonly logger: Logger;
}

/** The maximum of calls that may wait for a reader; beyond it, the reader gets a new snapshot instead. */
export const QUEUE_LIMIT = 1_000;
export const HEARTBEAT_MS = 15_000;
/** A reader that receives nothing for this long is gone, even if its connection is still open. */
const STUCK_MS = 60_000;
const SNAPSHOT_PAUSE_MS = 1_000;
/** After this much work for one reader, other tasks run. */
const SLICE_MS = 50;

interface Waiting {
  readonly call: Call;
  /** The position before the message with the first change of the call that the reader has not received. */
  readonly after: LivePosition;
}

/**
 * One reader of the live stream: a `snapshot` event with the calls in progress, then a `call` event for each change,
 * with only the newest state of a call. Memory is bounded, however slow the reader is. The id of an event is the
 * position up to which the reader has received everything.
 */
export class LiveReader {
  /** By call key, in the order of `after`. */
  private readonly waiting = new Map<string, Waiting>();
  private readonly ended = new AbortController();
  private next: Snapshot | undefined;
  private inSnapshot: Snapshot['versions'] = new Map();
  /**
   * Up to `covered` the reader has received everything, by its snapshot or before it returned; up to `reached` changes
   * were offered.
   */
  private covered: LivePosition | undefined;
  private reached: LivePosition | undefined;
  private wantsSnapshot = true;
  private snapshotAt = 0;
  private wake: () => void = () => undefined;

  constructor(private readonly options: LiveReaderOptions) {}

  /** Reads the first snapshot in advance, so that a failure can still be sent as an error response. */
  async prepare(): Promise<void> {
    this.wantsSnapshot = false;
    this.snapshotAt = Date.now();
    this.next = await this.options.snapshot();
  }

  /** Resumes a returning reader with the missed changes and without a snapshot. */
  resume(position: LivePosition, missed: readonly LiveChange[]): void {
    this.wantsSnapshot = false;
    this.covered = position;
    this.reached = position;
    for (const change of missed) this.offer(change);
  }

  /** Runs until the reader leaves, loses access, or is ended. */
  async run(): Promise<void> {
    const { output, allowedUntil, onRevoked } = this.options;
    const end = (): void => this.end();
    output.on('close', end).on('error', end);
    // A timer cannot wait longer than this; the heartbeat checks access anyway.
    const timer = setTimeout(end, Math.min(Math.max(allowedUntil - Date.now(), 0), 2 ** 31 - 1));
    const heartbeat = setInterval(() => void this.sendHeartbeat(), HEARTBEAT_MS);
    const stopListening = onRevoked(end);
    try {
      for (let until = 0; !this.ended.signal.aborted;) {
        await this.step();
        if (performance.now() < until) continue;
        await setImmediate();
        until = performance.now() + SLICE_MS;
      }
    } finally {
      clearTimeout(timer);
      clearInterval(heartbeat);
      stopListening();
      // Data that a slow reader has not received yet would keep the connection, and so the listener, from closing.
      if (output.writableNeedDrain) output.destroy();
      else output.end();
    }
  }

  offer({ position, before, calls }: LiveChange): void {
    this.reached = position;
    if (this.wantsSnapshot) return;
    for (const call of calls) this.enqueue(call, before);
    if (this.waiting.size > QUEUE_LIMIT) this.readAgain();
    else this.wake();
  }

  readAgain(): void {
    this.wantsSnapshot = true;
    this.waiting.clear();
    this.wake();
  }

  end(): void {
    this.ended.abort();
    this.wake();
  }

  private async step(): Promise<void> {
    if (this.wantsSnapshot) return this.readSnapshot();
    if (this.next) {
      const snapshot = this.next;
      this.next = undefined;
      this.inSnapshot = snapshot.versions;
      this.covered = snapshot.position;
      return this.send('snapshot', await this.options.textOfSnapshot(snapshot), snapshot.position);
    }
    const [first] = this.waiting;
    if (first) {
      const [key, { call }] = first;
      this.waiting.delete(key);
      if (call.version <= (this.inSnapshot.get(key) ?? 0)) return;
      const text = await this.options.textOfCall(call);
      // A new snapshot contains the call as well, and the queue for it is gone.
      if (text !== undefined && !this.wantsSnapshot) await this.send('call', text, this.receivedUpTo());
      return;
    }
    await new Promise<void>((resolve) => {
      this.wake = resolve;
    });
  }

  private enqueue(call: Call, after: LivePosition): void {
    const key = callKey(call.callId);
    const waiting = this.waiting.get(key);
    if (waiting && waiting.call.version > call.version) return;
    // A key that is already there keeps its place, and so the order of `after`.
    this.waiting.set(key, { call, after: waiting?.after ?? after });
  }

  /** The position up to which nothing is waiting. */
  private receivedUpTo(): LivePosition | undefined {
    const [next] = this.waiting.values();
    const position = next === undefined ? this.reached : next.after;
    const { covered } = this;
    const isCovered = position?.epoch === covered?.epoch && (position?.sequence ?? 0) < (covered?.sequence ?? 0);
    return isCovered ? covered : position;
  }

  /** Changes that arrive while the snapshot is read wait behind it. */
  private async readSnapshot(): Promise<void> {
    // Several reasons to read again often come together, and a failure also needs a pause.
    const pause = Math.max(0, this.snapshotAt + SNAPSHOT_PAUSE_MS - Date.now());
    await sleep(pause, undefined, { signal: this.ended.signal }).catch(() => undefined);
    this.snapshotAt = Date.now();
    this.wantsSnapshot = false;
    try {
      this.next = await this.options.snapshot();
    } catch (error) {
      this.options.logger.warn(
        { reason: errorReason(error) },
        'the snapshot for a live reader could not be read; trying again',
      );
      this.wantsSnapshot = true;
    }
  }

  private async send(event: string, data: string, position: LivePosition | undefined): Promise<void> {
    // An empty id makes a reader forget the last one: it cannot resume from here. JSON has no line breaks.
    const id = position === undefined ? '' : liveEventId(position);
    await this.write(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`);
  }

  private async write(text: string): Promise<void> {
    if (this.ended.signal.aborted || this.options.output.write(text)) return;
    const stuck = AbortSignal.timeout(STUCK_MS);
    try {
      await once(this.options.output, 'drain', { signal: AbortSignal.any([stuck, this.ended.signal]) });
    } catch {
      // Too slow or gone: either way no one is reading.
      this.end();
      if (stuck.aborted) this.options.output.destroy();
    }
  }

  private async sendHeartbeat(): Promise<void> {
    if (!(await this.options.isStillAllowed())) return this.end();
    if (this.ended.signal.aborted) return;
    // While the reader is slow, the events that it has not received yet keep the connection alive.
    if (!this.options.output.writableNeedDrain) this.options.output.write(': still here\n\n');
  }
}
