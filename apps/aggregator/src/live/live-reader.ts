import { reasonOf } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { callKey } from '../calls/call-keys.js';
import type { Call } from '../calls/call.js';
import { eventIdOf, type LivePosition } from './live-position.js';
import type { LiveChange } from './recent-changes.js';
import type { Snapshot } from './snapshot.js';

export interface LiveReaderOptions {
  readonly output: Writable;
  readonly snapshot: () => Promise<Snapshot>;
  /** JSON as this reader may see it; undefined for a call that it cannot be shown. */
  readonly textOfCall: (call: Call) => Promise<string | undefined>;
  readonly textOfSnapshot: (snapshot: Snapshot) => Promise<string>;
  /** Milliseconds since 1970. */
  readonly allowedUntil: number;
  /** Calls back when access is taken back before it runs out; returns how to end that. */
  readonly whenTakenBack: (callback: () => void) => () => void;
  /** Asked again and again: roles change, and a broadcast may have been missed. */
  readonly isStillAllowed: () => Promise<boolean>;
  readonly logger: Logger;
}

/** Calls that may wait for a reader; more, and it gets a new snapshot instead. */
export const QUEUE_LIMIT = 1_000;
export const HEARTBEAT_MS = 15_000;
/** A reader that takes nothing for so long is gone, whatever its connection says. */
const STUCK_MS = 60_000;
const SNAPSHOT_PAUSE_MS = 1_000;
/** After so much work for one reader others get their turn. */
const TURN_MS = 50;

interface Waiting {
  readonly call: Call;
  /** The message before the one that told of the first change of the call that the reader has not got. */
  readonly after: LivePosition;
}

/**
 * One reader of the live stream: a `snapshot` event with the calls in progress, then a `call` event for each change,
 * the newest state of a call only. Memory is bounded however slow the reader is. The id of an event is the position up
 * to which the reader has got everything.
 */
export class LiveReader {
  /** By call key, in the order of `after`. */
  private readonly waiting = new Map<string, Waiting>();
  private readonly ended = new AbortController();
  private next: Snapshot | undefined;
  private inSnapshot: Snapshot['versions'] = new Map();
  /** How far the reader had got everything with its snapshot or before it came back, and how far changes were offered. */
  private covered: LivePosition | undefined;
  private reached: LivePosition | undefined;
  private wantsSnapshot = true;
  private snapshotAt = 0;
  private wake: () => void = () => undefined;

  constructor(private readonly options: LiveReaderOptions) {}

  /** Has the first snapshot at hand, so that a failure can still be answered as one. */
  async prepare(): Promise<void> {
    this.wantsSnapshot = false;
    this.snapshotAt = Date.now();
    this.next = await this.options.snapshot();
  }

  /** Goes on for a reader that came back: what it has missed, and no snapshot. */
  resume(position: LivePosition, missed: readonly LiveChange[]): void {
    this.wantsSnapshot = false;
    this.covered = position;
    this.reached = position;
    for (const change of missed) this.offer(change);
  }

  /** Until the reader leaves, may read no more, or is ended. */
  async run(): Promise<void> {
    const { output, allowedUntil, whenTakenBack } = this.options;
    const end = (): void => this.end();
    output.on('close', end).on('error', end);
    // Longer than this a timer cannot wait; the heartbeat asks anyhow.
    const timer = setTimeout(end, Math.min(Math.max(allowedUntil - Date.now(), 0), 2 ** 31 - 1));
    const heartbeat = setInterval(() => void this.beat(), HEARTBEAT_MS);
    const stopListening = whenTakenBack(end);
    try {
      for (let until = 0; !this.ended.signal.aborted;) {
        await this.step();
        if (performance.now() < until) continue;
        await turn();
        until = performance.now() + TURN_MS;
      }
    } finally {
      clearTimeout(timer);
      clearInterval(heartbeat);
      stopListening();
      // What a slow reader has not taken yet would keep the connection, and so the listener, from closing.
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
    if (this.wantsSnapshot) return this.takeSnapshot();
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
      // A new snapshot has the call as well, and what waited behind it is gone.
      if (text !== undefined && !this.wantsSnapshot) await this.send('call', text, this.got());
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
    // A key that is there keeps its place, and so the order of `after`.
    this.waiting.set(key, { call, after: waiting?.after ?? after });
  }

  /** Up to where nothing waits any more. */
  private got(): LivePosition | undefined {
    const [next] = this.waiting.values();
    const position = next === undefined ? this.reached : next.after;
    const { covered } = this;
    const isCovered = position?.epoch === covered?.epoch && (position?.sequence ?? 0) < (covered?.sequence ?? 0);
    return isCovered ? covered : position;
  }

  /** Changes that come while it is read wait behind it. */
  private async takeSnapshot(): Promise<void> {
    // Several reasons to read again often come together, and a failure is worth a pause too.
    const pause = Math.max(0, this.snapshotAt + SNAPSHOT_PAUSE_MS - Date.now());
    await sleep(pause, undefined, { signal: this.ended.signal }).catch(() => undefined);
    this.snapshotAt = Date.now();
    this.wantsSnapshot = false;
    try {
      this.next = await this.options.snapshot();
    } catch (error) {
      this.options.logger.warn({ reason: reasonOf(error) }, 'no snapshot for a live reader; trying again');
      this.wantsSnapshot = true;
    }
  }

  private async send(event: string, data: string, position: LivePosition | undefined): Promise<void> {
    // An empty id makes a reader forget the last one: it cannot go on from here. JSON has no line breaks.
    const id = position === undefined ? '' : eventIdOf(position);
    await this.write(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`);
  }

  private async write(text: string): Promise<void> {
    if (this.ended.signal.aborted || this.options.output.write(text)) return;
    const stuck = AbortSignal.timeout(STUCK_MS);
    try {
      await once(this.options.output, 'drain', { signal: AbortSignal.any([stuck, this.ended.signal]) });
    } catch {
      // Too slow or gone: either way there is nobody to write to.
      this.end();
      if (stuck.aborted) this.options.output.destroy();
    }
  }

  private async beat(): Promise<void> {
    if (!(await this.options.isStillAllowed())) return this.end();
    if (this.ended.signal.aborted) return;
    // While the reader is slow, the events that it has not taken yet keep the connection alive.
    if (!this.options.output.writableNeedDrain) this.options.output.write(': still here\n\n');
  }
}
