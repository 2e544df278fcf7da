import type { Bus } from './bus.js';
import type { RejectedRecord } from './messages.js';
import { REJECTED_STREAM, REJECTED_SUBJECT } from './subjects.js';

/** The newest bodies that were refused: a bounded stream that collectors write and operators read. */
export class RejectedRecords {
  constructor(private readonly bus: Bus) {}

  /** Rejects when the bus does not store it; the caller logs that and goes on. */
  async keep(rejected: RejectedRecord): Promise<void> {
    this.bus.assertConnected();
    await this.bus.js.publish(REJECTED_SUBJECT, JSON.stringify(rejected), { timeout: 2_000 });
  }

  /** The newest first. */
  async latest(limit: number): Promise<readonly RejectedRecord[]> {
    const { state } = await this.bus.jsm.streams.info(REJECTED_STREAM);
    const first = Math.max(state.first_seq, state.last_seq - limit + 1);
    const sequences = Array.from(
      { length: state.messages === 0 ? 0 : state.last_seq - first + 1 },
      (_, i) => state.last_seq - i,
    );
    const found = await Promise.all(sequences.map((seq) => this.bus.jsm.streams.getMessage(REJECTED_STREAM, { seq })));
    return found.flatMap((message) => (message === null ? [] : [message.json<RejectedRecord>()]));
  }
}
