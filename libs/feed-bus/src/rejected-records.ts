import type { StoredMsg } from '@nats-io/jetstream';
import {
  isRejectedRecord,
  REJECTED_STREAM,
  REJECTED_SUBJECT,
  type RejectedRecord,
} from '@ringdown/contracts/set-aside';
import { newestFirst, type Bus } from '@ringdown/nats';

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
      const rejected = rejectedIn(message);
      if (rejected !== undefined && isWanted(rejected) && found.push(rejected) >= limit) break;
    }
    return found;
  }
}

/** Undefined for what no collector has written. */
function rejectedIn(message: StoredMsg): RejectedRecord | undefined {
  try {
    const rejected: unknown = message.json();
    return isRejectedRecord(rejected) ? rejected : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
