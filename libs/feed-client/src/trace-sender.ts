import { TRACES_PATH_END, type TraceBody, type TracedMessage } from '@ringdown/contracts/traces';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CollectorAddress } from './collector-address.js';
import { CollectorClient, type CollectorClientOptions } from './collector-client.js';
import { postBesideRecords, type PostOutcome } from './post-beside-records.js';

/** `dropped`: the queue was full, or the sender stopped. `refused`: the collector does not accept them. */
export type TraceOutcome = 'stored' | 'dropped' | 'refused';

export interface TraceSenderOptions extends CollectorClientOptions {
  /** The collector that receives the records now. */
  readonly address: () => CollectorAddress;
  readonly frontEnd: string;
  /** How many messages may wait. */
  readonly queueLength: number;
  readonly onOutcome: (outcome: TraceOutcome, messages: number) => void;
  /** Pause after a failure; each further failure doubles it up to thirty times as much, milliseconds. */
  readonly retryMs?: number;
}

/** Of one batch; its JSON is well below the smallest useful limit of a collector. */
const BATCH = { messages: 200, characters: 96 * 1_024 } as const;
/** Of all waiting messages, whatever their number. */
const MAX_CHARACTERS = 24 * 1_024 * 1_024;
/** How long a message waits for others. */
const GATHER_MS = 200;
const RETRY_MS = 1_000;
const LONGEST_PAUSE = 30;

/**
 * Sends messages of calls beside the records, over a connection of its own: in batches, one at a time. A message that does not
 * fit into the queue is dropped and counted; records never wait for one.
 */
export class TraceSender {
  private readonly client: CollectorClient;
  private readonly queue: TracedMessage[] = [];
  private characters = 0;
  private failures = 0;
  private sending: Promise<void> | undefined;
  private readonly stopping = new AbortController();

  constructor(private readonly options: TraceSenderOptions) {
    this.client = new CollectorClient(options);
  }

  /** Messages that wait, or whose acknowledgement is awaited. */
  get length(): number {
    return this.queue.length;
  }

  add(message: TracedMessage): void {
    const { queueLength, onOutcome } = this.options;
    if (this.queue.length >= queueLength || this.characters >= MAX_CHARACTERS || this.stopping.signal.aborted) {
      return onOutcome('dropped', 1);
    }
    this.queue.push(message);
    this.characters += message.payload.length;
    this.sending ??= this.sendAll();
  }

  /** Resolves when nothing waits any more, when the collector fails, or after this time. */
  async settle(milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds;
    while (this.queue.length > 0 && this.failures === 0 && performance.now() < end) await sleep(10);
  }

  /** Whether so much waits that a source which can wait should. */
  get isBehind(): boolean {
    return this.queue.length >= BATCH.messages && this.queue.length >= this.options.queueLength / 2;
  }

  /** Messages that still wait are dropped. */
  close(): void {
    this.stopping.abort();
    this.client.close();
    const { length } = this.queue;
    this.queue.length = 0;
    if (length > 0) this.options.onOutcome('dropped', length);
  }

  private async sendAll(): Promise<void> {
    while (this.queue.length > 0 && !this.stopping.signal.aborted) {
      if (this.queue.length < BATCH.messages) await this.pause(GATHER_MS);
      const batch = this.nextBatch();
      const outcome = await this.post(batch);
      // It was closed meanwhile, which has counted them.
      if (this.queue.length === 0) break;
      if (outcome === 'failed') await this.pauseAfterFailure();
      else this.finish(batch, outcome);
    }
    this.sending = undefined;
  }

  private finish(batch: readonly TracedMessage[], outcome: TraceOutcome): void {
    this.queue.splice(0, batch.length);
    this.characters -= batch.reduce((sum, { payload }) => sum + payload.length, 0);
    if (outcome === 'stored') this.failures = 0;
    this.options.onOutcome(outcome, batch.length);
  }

  private nextBatch(): readonly TracedMessage[] {
    let characters = 0;
    const end = this.queue.findIndex(({ payload }, index) => {
      characters += payload.length;
      return index >= BATCH.messages || (index > 0 && characters > BATCH.characters);
    });
    return this.queue.slice(0, end === -1 ? this.queue.length : end);
  }

  private post(messages: readonly TracedMessage[]): Promise<PostOutcome> {
    const { address, frontEnd } = this.options;
    const body: TraceBody = { v: 1, frontEnd, messages };
    const url = new URL(TRACES_PATH_END, address().configuration);
    return postBesideRecords(this.client, url, body);
  }

  private async pauseAfterFailure(): Promise<void> {
    const { retryMs = RETRY_MS } = this.options;
    await this.pause(Math.min(2 ** this.failures, LONGEST_PAUSE) * retryMs);
    this.failures++;
  }

  private async pause(milliseconds: number): Promise<void> {
    // Rejects only when it is closed.
    await sleep(milliseconds, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
