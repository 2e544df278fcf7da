import {
  isRejectedRecord,
  REJECTED_STREAM,
  REJECTED_SUBJECT,
  type RejectedRecord,
} from '@ringdown/contracts/set-aside';
import type { Bus } from '@ringdown/nats';
import { newestFirst } from '@ringdown/nats/buckets';
import { parsedJson } from './parsed-json.js';

/** The newest rejected bodies: a bounded stream that collectors write and operators read. */
export class RejectedRecords {
  constructor(private readonly bus: Bus) {}

  /** Rejects when the bus does not store it; the caller logs that and continues. */
  async store(rejected: RejectedRecord): Promise<void> {
    this.bus.assertConnected();
    await this.bus.js.publish(REJECTED_SUBJECT, JSON.stringify(rejected), { timeout: 2_000 });
  }

  /** The newest first, only those that are wanted. */
  async latest(
    limit: number,
    isWanted: (rejected: RejectedRecord) => boolean = () => true,
  ): Promise<readonly RejectedRecord[]> {
    const found: RejectedRecord[] = [];
    for await (const message of newestFirst(this.bus, REJECTED_STREAM)) {
      const rejected = parsedJson(message.string());
      // What no collector has written is not shown.
      if (isRejectedRecord(rejected) && isWanted(rejected) && found.push(rejected) >= limit) break;
    }
    return found;
  }
}
