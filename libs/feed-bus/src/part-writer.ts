import { bundleSubject, recordsSubject } from '@ringdown/contracts/records';
import type { Bus } from '@ringdown/nats';
import { StreamWriter, type MessageToStore } from '@ringdown/nats/streams';
import { randomUUID } from 'node:crypto';
import { BatchBytes, type PartJson, type RecordJson } from './batch-bytes.js';
import type { BundleOffer } from './bundle-offer.js';

/** Notified of each attempt, for the metrics of a service. */
export interface PublishObserver {
  /** One message was stored, or an attempt to store it has failed. */
  tried(outcome: 'stored' | 'failed'): void;
}

/** The records of one partition that are under way together. */
export interface Part<R extends RecordJson> extends PartJson {
  readonly records: readonly R[];
  /** Of a message that has only them: the same on every attempt. */
  readonly id: string;
  isStored: boolean;
}

export interface PartWriterOptions<R extends RecordJson> {
  readonly bus: Bus;
  readonly bundles: BundleOffer | undefined;
  readonly observer: PublishObserver | undefined;
  /** As in `MessageOrigin`. */
  readonly collector: string;
  /** How long one record may wait for its acknowledgement. */
  readonly deadlineMs: number;
  readonly onStored: (part: Part<R>) => void;
}

/** Stores the records of several partitions: in one message if the aggregators read bundles, else in one for each partition. */
export class PartWriter<R extends RecordJson> {
  private readonly writer: StreamWriter;
  private readonly bytes = new BatchBytes();

  constructor(private readonly options: PartWriterOptions<R>) {
    this.writer = new StreamWriter(options.bus);
  }

  /** Tries again until the deadline, by `performance.now()`. Rejects when parts are left then. `minBytes`: of each message. */
  async store(
    parts: readonly Part<R>[],
    { deadline, minBytes }: { readonly deadline: number; readonly minBytes: number },
  ): Promise<void> {
    const id = randomUUID();
    for (;;) {
      const left = deadline - performance.now();
      if (left <= 0) throw new Error(`no acknowledgement within ${this.options.deadlineMs} ms`);
      const timeoutMs = Math.min(left, 2_000);
      const isBundle =
        parts.length > 1 && this.options.bundles?.isOpen === true && parts.every(({ isStored }) => !isStored);
      try {
        await (isBundle ? this.storeBundle(parts, id, timeoutMs) : this.storeEach(parts, timeoutMs, minBytes));
        return;
      } catch (error) {
        // Not awaited: a bus that hangs would answer after the deadline.
        if (isBundle) void this.options.bundles?.check(error);
        if (deadline - performance.now() < 100) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  private async storeBundle(parts: readonly Part<R>[], id: string, timeoutMs: number): Promise<void> {
    const inOrder = parts.toSorted((a, b) => a.partition - b.partition);
    const subject = bundleSubject(inOrder.map(({ partition }) => partition));
    await this.send({ subject, body: this.bytes.bundle(this.options.collector, inOrder), id, timeoutMs });
    for (const part of parts) this.stored(part);
  }

  /** Rejects when one of them is not stored, with its reason. */
  private async storeEach(parts: readonly Part<R>[], timeoutMs: number, minBytes: number): Promise<void> {
    const outcomes = await Promise.allSettled(
      parts.filter(({ isStored }) => !isStored).map((part) => this.storePart(part, timeoutMs, minBytes)),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private async storePart(part: Part<R>, timeoutMs: number, minBytes: number): Promise<void> {
    const { partition, number, records, id } = part;
    const body = paddedTo(minBytes, this.bytes.of({ collector: this.options.collector, number }, records));
    await this.send({ subject: recordsSubject(partition), body, id, timeoutMs });
    this.stored(part);
  }

  /** Uses the same message id on every attempt: a message whose acknowledgement got lost is stored once. */
  private async send(message: MessageToStore): Promise<void> {
    try {
      this.options.bus.assertConnected();
      await this.writer.store(message);
      this.options.observer?.tried('stored');
    } catch (error) {
      this.options.observer?.tried('failed');
      throw error;
    }
  }

  private stored(part: Part<R>): void {
    part.isStored = true;
    this.options.onStored(part);
  }
}

/** Spaces after JSON change nothing for its reader. */
function paddedTo(bytes: number, json: Uint8Array): Uint8Array {
  if (json.length >= bytes) return json;
  const padded = Buffer.alloc(bytes, ' ');
  padded.set(json);
  return padded;
}
