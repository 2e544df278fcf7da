import { setImmediate as afterOthers } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { DirectoryUnavailable } from '../people/directory.js';
import type { Change, ReadingResult } from './ldap-changes.js';
import { threadError, type FromThread, type ThreadData, type ToThread } from './reading-messages.js';

export interface ReadingThreadOptions extends ThreadData {
  /** The module that the thread runs; only tests set another one. */
  readonly entry?: URL;
  /** Applies a change. */
  readonly apply: (change: Change) => void;
  /** Ids of all known people: a thread that replaces an ended one needs them. */
  readonly known: () => Iterable<string>;
}

interface Running {
  readonly done: (reading: ReadingResult) => void;
  readonly failed: (error: Error) => void;
}

const ENTRY = new URL('reading-thread-main.js', import.meta.url);
/** How many ids are sent before other work gets a chance to run. */
const IDS_PER_MESSAGE = 1_000;

/** Reads the directory in a thread of its own. A thread that has ended is replaced at the next reading. */
export class ReadingThread {
  private worker: Worker | undefined;
  /** The running request. */
  private running: Running | undefined;
  private closed = false;
  /** Why the last thread has ended. */
  private lastEnd = '';

  constructor(private readonly options: ReadingThreadOptions) {}

  /**
   * Reads the changes, or all people when that is due; slowly (`throttled`) when no caller waits for it. Throws
   * `DirectoryUnavailable`. One reading at a time.
   */
  async read(throttled: boolean): Promise<ReadingResult> {
    const worker = this.worker ?? (await this.start());
    if (this.worker !== worker) throw new DirectoryUnavailable(this.lastEnd);
    return await new Promise((done, failed) => {
      this.running = { done, failed };
      post(worker, { kind: 'read', throttled });
    });
  }

  /** Reports a person who is known from another source. */
  markKnown(id: string): void {
    if (this.worker !== undefined) post(this.worker, { kind: 'known', ids: [id] });
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.worker?.terminate();
  }

  private async start(): Promise<Worker> {
    if (this.closed) throw new DirectoryUnavailable('the directory is being closed');
    const { access, fullRefreshMs, known, entry = ENTRY } = this.options;
    const workerData: ThreadData = { access, fullRefreshMs };
    const worker = new Worker(entry, { workerData, name: 'directory' });
    this.worker = worker;
    worker.on('message', (message: FromThread) => this.onMessage(worker, message));
    worker.on('error', (error: Error) => this.ended(worker, error.message));
    worker.on('exit', (code) => this.ended(worker, `exit code ${code}`));
    let ids: string[] = [];
    for (const id of known()) {
      if (ids.push(id) < IDS_PER_MESSAGE) continue;
      post(worker, { kind: 'known', ids });
      ids = [];
      await afterOthers();
    }
    post(worker, { kind: 'known', ids });
    return worker;
  }

  private onMessage(worker: Worker, message: FromThread): void {
    const { running } = this;
    if (message.kind === 'change') {
      this.options.apply(message.change);
      post(worker, { kind: 'continue' });
      return;
    }
    this.running = undefined;
    if (message.kind === 'done') running?.done(message.reading);
    else running?.failed(threadError(message.failure));
  }

  /** Called for every kind of end; an error is reported before the exit. */
  private ended(worker: Worker, reason: string): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    this.lastEnd = `the thread that reads the directory has ended: ${reason}`;
    this.running?.failed(new DirectoryUnavailable(this.lastEnd));
    this.running = undefined;
  }
}

function post(worker: Worker, message: ToThread): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is not a window and has no origin
  worker.postMessage(message);
}
