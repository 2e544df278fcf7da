import { reasonOf, RECORDS_STREAM, recordsSubject, RejectedRecords, type Bus } from '@ringdown/bus';
import type { Logger } from '@ringdown/observability';
import type { Unusable } from './record-intake.js';

/** As much of a body as is kept for an operator. */
const MAX_BODY = 8_192;

/** Puts what cannot be folded where an operator sees it, beside what the collectors refuse. It stays in the stream too. */
export class DeadLetters {
  private readonly rejected: RejectedRecords;
  /** A batch that is read again brings its unreadable messages again. */
  private readonly lastUnreadable = new Map<number, number>();

  constructor(
    private readonly bus: Bus,
    private readonly logger: Logger,
  ) {
    this.rejected = new RejectedRecords(bus);
  }

  async keep(partition: number, unusable: readonly Unusable[]): Promise<void> {
    for (const { record, code, reason } of unusable) {
      const { receivedAt, xml } = partsOf(record);
      await this.put(partition, { receivedAt, code, reason, body: xml ?? JSON.stringify(record) });
    }
  }

  /** A message of the stream that is no batch of records at all. */
  async keepMessage(partition: number, sequence: number, reason: string): Promise<void> {
    if ((this.lastUnreadable.get(partition) ?? 0) >= sequence) return;
    this.lastUnreadable.set(partition, sequence);
    const message = await this.bus.jsm.streams.getMessage(RECORDS_STREAM, { seq: sequence }).catch(() => null);
    const receivedAt = message === null ? Date.now() : message.time.getTime();
    const body = message === null ? '' : message.string();
    await this.put(partition, {
      receivedAt,
      code: 'unreadable-message',
      reason: `message ${sequence}: ${reason}`,
      body,
    });
  }

  private async put(
    partition: number,
    letter: { receivedAt: number; code: string; reason: string; body: string },
  ): Promise<void> {
    const path = recordsSubject(partition);
    this.logger.error({ path, code: letter.code, reason: letter.reason }, 'a record was set aside');
    try {
      await this.rejected.keep({
        ...letter,
        body: letter.body.slice(0, MAX_BODY).toWellFormed(),
        remoteAddress: '',
        path,
      });
    } catch (error) {
      this.logger.error({ path, reason: reasonOf(error) }, 'a record that was set aside could not be kept');
    }
  }
}

function partsOf(record: unknown): { receivedAt: number; xml: string | undefined } {
  const parts = typeof record === 'object' && record !== null ? record : {};
  return {
    receivedAt: 'receivedAt' in parts && typeof parts.receivedAt === 'number' ? parts.receivedAt : Date.now(),
    xml: 'xml' in parts && typeof parts.xml === 'string' ? parts.xml : undefined,
  };
}
