import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from './eventually.js';

export interface FeedLoadOptions {
  /** The base URLs of collectors; a sender goes to the next one when a record was not accepted. */
  readonly bases: readonly string[];
  readonly senders: number;
  /** What the names of front ends begin with; default: `fe`. */
  readonly frontEnds?: string | undefined;
  /** What a sender waits after an accepted record; default: nothing. */
  readonly paceMs?: number;
  /** The XML of a record. */
  record(of: { readonly frontEnd: string; readonly callId: string }): string;
}

/** After a missing response a client may soon retry with the next record. */
const PAUSE_MS = 100;
const ANSWER_MS = 15_000;

/** Front ends that post one record after the other, each once, and store the responses. */
export class FeedLoad {
  /** CallIds of records that were accepted with 200. */
  readonly acknowledged = new Set<string>();
  /** CallIds of records with another response or none: they may be stored or not. */
  readonly unknown = new Set<string>();
  /** Responses other than 200, with the number of each: `503, retry after 2`. */
  readonly rejections = new Map<string, number>();
  private readonly senders: readonly Promise<void>[];
  private stopping = false;
  private pending = 0;
  private running: PromiseWithResolvers<void> = { ...Promise.withResolvers<void>(), promise: Promise.resolve() };

  constructor(private readonly options: FeedLoadOptions) {
    const { senders, frontEnds = 'fe' } = options;
    this.senders = Array.from({ length: senders }, (_, sender) => this.send(`${frontEnds}${sender}`));
  }

  /** Resolves when this many more were acknowledged. */
  async untilAcknowledged(records: number): Promise<void> {
    const target = this.acknowledged.size + records;
    await eventually(`${records} more records to be acknowledged`, () => this.acknowledged.size >= target, 120_000);
  }

  /** Resolves when this many more were rejected. */
  async untilRejected(records: number): Promise<void> {
    const rejected = (): number => [...this.rejections.values()].reduce((sum, count) => sum + count, 0);
    const target = rejected() + records;
    await eventually(`${records} more records to be rejected`, () => rejected() >= target, 120_000);
  }

  /** Resolves when no request is under way any more. */
  async pause(): Promise<void> {
    this.running = Promise.withResolvers();
    await eventually('the pending requests', () => this.pending === 0);
  }

  resume(): void {
    this.running.resolve();
  }

  async stop(): Promise<void> {
    this.resume();
    this.stopping = true;
    await Promise.all(this.senders);
  }

  private async send(frontEnd: string): Promise<void> {
    const { bases, paceMs = 0 } = this.options;
    for (let n = 0, at = 0; !this.stopping; n++) {
      await this.running.promise;
      this.pending++;
      const callId = `${frontEnd}-${n}`;
      if (await this.isAcknowledged(bases[at % bases.length] ?? '', this.options.record({ frontEnd, callId }))) {
        this.acknowledged.add(callId);
        if (paceMs > 0) await sleep(paceMs);
      } else {
        this.unknown.add(callId);
        at++;
        await sleep(PAUSE_MS);
      }
      this.pending--;
    }
  }

  private async isAcknowledged(base: string, xml: string): Promise<boolean> {
    const headers = { 'content-type': 'text/xml' };
    const signal = AbortSignal.timeout(ANSWER_MS);
    try {
      const response = await fetch(base, { method: 'POST', headers, body: xml, signal });
      await response.text();
      if (response.status === 200) return true;
      const rejection = `${response.status}, retry after ${response.headers.get('retry-after')}`;
      this.rejections.set(rejection, (this.rejections.get(rejection) ?? 0) + 1);
      return false;
    } catch {
      // No response, or an incomplete one: the outcome is unknown.
      return false;
    }
  }
}
