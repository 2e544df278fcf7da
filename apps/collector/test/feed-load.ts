import { eventually } from '@ringdown/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRecord } from './running-collector.js';

/** Somebody who was told nothing may try the next one soon. */
const PAUSE_MS = 100;
const ANSWER_MS = 15_000;

/** Front ends that post one record after the other, none of them twice, and remember what was answered. */
export class FeedLoad {
  /** CallIds of records that were answered with 200. */
  readonly acknowledged = new Set<string>();
  /** Of those that were answered otherwise, or not at all: they may be stored or not. */
  readonly unknown = new Set<string>();
  private readonly senders: readonly Promise<void>[];
  private stopping = false;

  constructor(
    private readonly base: string,
    senders: number,
  ) {
    this.senders = Array.from({ length: senders }, (_, sender) => this.send(`fe${sender}`));
  }

  /** Resolves when so many more were acknowledged. */
  async goesOn(records: number): Promise<void> {
    const enough = this.acknowledged.size + records;
    await eventually(`${records} more records to be acknowledged`, () => this.acknowledged.size >= enough, 120_000);
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.senders);
  }

  private async send(frontEnd: string): Promise<void> {
    for (let n = 0; !this.stopping; n++) {
      const callId = `${frontEnd}-${n}`;
      if (await this.isAcknowledged(startRecord({ frontEnd, callId }))) {
        this.acknowledged.add(callId);
      } else {
        this.unknown.add(callId);
        await sleep(PAUSE_MS);
      }
    }
  }

  private async isAcknowledged(xml: string): Promise<boolean> {
    const headers = { 'content-type': 'text/xml' };
    try {
      const response = await fetch(this.base, {
        method: 'POST',
        headers,
        body: xml,
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      await response.text();
      return response.status === 200;
    } catch {
      // No answer, or one that broke off: nothing was said.
      return false;
    }
  }
}
