import type { DiagnosticsRecord } from '@ringdown/xml-schemas';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CollectorAddress } from './collector-address.js';
import type { Delivery } from './delivery.js';
import { FeedConnection, type FeedConnectionOptions, type Opening } from './feed-connection.js';

/** What operators may choose instead of losing records; the names are those of known senders (diagnostics-feed.md, 4). */
export interface Persistence {
  /** How often one record is sent again that the collector has not taken; 0: never, as the specification has it. */
  readonly maxRetry: number;
  /** Failures in a row that are followed by no pause. */
  readonly maxDelayLimit: number;
  /** Longest pause, milliseconds; each further failure makes it a second longer up to that. */
  readonly maxBackoffMs: number;
  /** Failures in a row after which the other address is used, where there is one. */
  readonly maxRetryBeforeFailover: number;
}

export const SEND_ONCE: Persistence = {
  maxRetry: 0,
  maxDelayLimit: 5,
  maxBackoffMs: 30_000,
  maxRetryBeforeFailover: 10,
};

export interface CourierOptions extends FeedConnectionOptions {
  /** Where records go when the address fails. */
  readonly alternative?: CollectorAddress;
  readonly persistence?: Persistence;
  readonly onRetry?: () => void;
  readonly onFailover?: (to: CollectorAddress) => void;
  /** Ends early, by an error, when `signal` is aborted. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const STEP_MS = 1_000;
/** Even without a pause a collector that is not there is not asked in a closed loop. */
const SHORTEST_MS = 100;
/** Of a collector that is well but has no time now. */
const LATER: ReadonlySet<number> = new Set([408, 429]);

/**
 * Brings the records of a front end to its collector, one after another and in their order: once, or as often as
 * operators want, there or to another address. A record whose answer was lost may come twice then.
 */
export class Courier {
  private readonly connections: readonly FeedConnection[];
  private readonly persistence: Persistence;
  private readonly pause: NonNullable<CourierOptions['pause']>;
  private readonly stopping = new AbortController();
  private used = 0;
  private failures = 0;
  private lastTurn: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: CourierOptions) {
    const { address, alternative, persistence = SEND_ONCE, pause = waitFor } = options;
    this.persistence = persistence;
    this.pause = pause;
    // Whoever sends again has pauses of their own.
    const rest = persistence.maxRetry > 0 ? { resumeAfterMs: 0 } : {};
    const addresses = [address, ...(alternative ? [alternative] : [])];
    this.connections = addresses.map((each) => new FeedConnection({ ...options, ...rest, address: each }));
  }

  /** Whether records go to the other address now. */
  get usesAlternative(): boolean {
    return this.used > 0;
  }

  /** Asks the first address for the configuration, so that the caller learns whether a collector is there. */
  open(): Promise<Opening> {
    return this.connection.open();
  }

  /** Never rejects. Calls may overlap; records leave in the order of the calls. */
  send(record: DiagnosticsRecord): Promise<Delivery> {
    const turn = this.lastTurn.then(() => this.deliver(record));
    this.lastTurn = turn;
    return turn;
  }

  /** What is still on its way is lost. */
  close(): void {
    this.stopping.abort();
    for (const connection of this.connections) connection.close();
  }

  private get connection(): FeedConnection {
    const connection = this.connections[this.used];
    if (!connection) throw new Error(`no collector address ${this.used}`);
    return connection;
  }

  private async deliver(record: DiagnosticsRecord): Promise<Delivery> {
    for (let sentAgain = 0; ; sentAgain++) {
      const { isResting } = this.connection;
      const delivery = await this.connection.send(record);
      if (isTaken(delivery)) this.failures = 0;
      else if (!isResting) this.failed();
      const isLast = sentAgain >= this.persistence.maxRetry || this.stopping.signal.aborted;
      if (isTaken(delivery) || isLast || !(await this.isReadyAgain())) return delivery;
      this.options.onRetry?.();
    }
  }

  private failed(): void {
    this.failures++;
    if (this.connections.length === 1 || this.failures < this.persistence.maxRetryBeforeFailover) return;
    this.failures = 0;
    this.used = (this.used + 1) % this.connections.length;
    this.options.onFailover?.(this.connection.address);
  }

  /** False when the sender stops meanwhile. */
  private async isReadyAgain(): Promise<boolean> {
    const { maxDelayLimit, maxBackoffMs } = this.persistence;
    const slower = Math.min((this.failures - maxDelayLimit) * STEP_MS, maxBackoffMs);
    await this.pause(Math.max(slower, SHORTEST_MS), this.stopping.signal);
    return !this.stopping.signal.aborted;
  }
}

/** Also a refusal: the collector has judged the record, and would judge it the same again. */
function isTaken(delivery: Delivery): boolean {
  if (delivery.outcome === 'refused') return !LATER.has(delivery.status);
  return delivery.outcome === 'answered';
}

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  // The only way for it to fail is that the sender stops.
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
