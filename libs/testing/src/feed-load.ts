import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from './eventually.js';

export interface FeedLoadOptions {
  /** The base URL to post to. */
  readonly base: string;
  readonly senders: number;
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
  readonly refusals = new Map<string, number>();
  private readonly senders: readonly Promise<void>[];
  private stopping = false;
  private underWay = 0;
  private going: PromiseWithResolvers<void> = { ...Promise.withResolvers<void>(), promise: Promise.resolve() };

  constructor(private readonly options: FeedLoadOptions) {
    this.senders = Array.from({ length: options.senders }, (_, sender) => this.send(`fe${sender}`));
  }

  /** Resolves when this many more were acknowledged. */
  async goesOn(records: number): Promise<void> {
    const enough = this.acknowledged.size + records;
    await eventually(`${records} more records to be acknowledged`, () => this.acknowledged.size >= enough, 120_000);
  }

  /** Resolves when this many more were rejected. */
  async isRefused(records: number): Promise<void> {
    const refused = (): number => [...this.refusals.values()].reduce((sum, count) => sum + count, 0);
    const enough = refused() + records;
    await eventually(`${records} more records to be refused`, () => refused() >= enough, 120_000);
  }

  /** Resolves when no request is under way any more. */
  async pause(): Promise<void> {
    this.going = Promise.withResolvers();
    await eventually('what is under way', () => this.underWay === 0);
  }

  goOn(): void {
    this.going.resolve();
  }

  async stop(): Promise<void> {
    this.goOn();
    this.stopping = true;
    await Promise.all(this.senders);
  }

  private async send(frontEnd: string): Promise<void> {
    for (let n = 0; !this.stopping; n++) {
      await this.going.promise;
      this.underWay++;
      const callId = `${frontEnd}-${n}`;
      if (await this.isAcknowledged(this.options.record({ frontEnd, callId }))) {
        this.acknowledged.add(callId);
      } else {
        this.unknown.add(callId);
        await sleep(PAUSE_MS);
      }
      this.underWay--;
    }
  }

  private async isAcknowledged(xml: string): Promise<boolean> {
    const headers = { 'content-type': 'text/xml' };
    const signal = AbortSignal.timeout(ANSWER_MS);
    try {
      const response = await fetch(this.options.base, { method: 'POST', headers, body: xml, signal });
      await response.text();
      if (response.status === 200) return true;
      const refusal = `${response.status}, retry after ${response.headers.get('retry-after')}`;
      this.refusals.set(refusal, (this.refusals.get(refusal) ?? 0) + 1);
      return false;
    } catch {
      // No response, or an incomplete one: the outcome is unknown.
      return false;
    }
  }
}
