import { recordsSubject } from '@ringdown/contracts/records';
import type { DeadLetter, RejectedRecord } from '@ringdown/contracts/set-aside';
import { errorReason } from '@ringdown/errors';
import { DeadLetters, RejectedRecords, type PoisonMessage } from '@ringdown/feed-bus';
import type { Bus } from '@ringdown/nats';
import type { Logger } from '@ringdown/observability';
import type { FeedMetrics } from './feed-metrics.js';
import type { UnprocessableRecord } from './record-intake.js';

export interface SetAsideOptions {
  readonly bus: Bus;
  readonly metrics: FeedMetrics;
  readonly logger: Logger;
}

/** The sender of the connection it arrived on, as far as that is known. */
type Sender = Pick<RejectedRecord, 'receivedAt' | 'remoteAddress' | 'certificateSubject'>;

/** The length of the body as it is shown among the rejected records of the collectors. */
const SHOWN_CHARACTERS = 8_192;
/** For a message in an unknown format; a record is kept whole. */
const MAX_CONTENT_CHARACTERS = 128 * 1_024;
/** No collector writes such a record. */
const TOO_DEEP = 'a record that is nested too deeply to be kept';

/**
 * Sets aside what cannot be folded: whole, as a dead letter that an operator can replay, and truncated, among the
 * rejected records of the collectors. This is done before reading continues, so that an accepted record is always
 * stored somewhere.
 */
export class SetAside {
  private readonly deadLetters: DeadLetters;
  private readonly rejected: RejectedRecords;
  /** A batch that is read again, while the database is not reachable, contains the same records again. */
  private readonly done = new Map<number, Set<string>>();

  constructor(private readonly options: SetAsideOptions) {
    this.deadLetters = new DeadLetters(options.bus);
    this.rejected = new RejectedRecords(options.bus);
  }

  /** `sequence`: the last message that was read with them. Rejects when the bus does not store them. */
  async records(partition: number, sequence: number, unprocessable: readonly UnprocessableRecord[]): Promise<void> {
    for (const { record, code, reason } of unprocessable) {
      const { xml, ...sender } = readableRecordParts(record);
      const text = jsonOf(record);
      const content = text === undefined ? TOO_DEEP : record;
      const letter = { v: 1, setAsideAt: Date.now(), partition, sequence, code, reason, content } as const;
      await this.put(letter, sender, xml ?? text ?? TOO_DEEP);
    }
  }

  /** A message of the stream that is not a batch of records. Rejects when the bus does not store it. */
  async message(partition: number, { sequence, storedAt, text }: PoisonMessage, cause: string): Promise<void> {
    const letter: DeadLetter = {
      v: 1,
      setAsideAt: Date.now(),
      partition,
      sequence,
      code: 'unreadable-message',
      reason: `message ${sequence}: ${cause}`,
      content: text.slice(0, MAX_CONTENT_CHARACTERS).toWellFormed(),
    };
    await this.put(letter, { receivedAt: storedAt, remoteAddress: '' }, text);
  }

  /** What was read of this partition so far is in the database and does not come again. */
  clear(partition: number): void {
    this.done.delete(partition);
  }

  private async put(letter: DeadLetter, sender: Sender, body: string): Promise<void> {
    const { partition, code, reason, content } = letter;
    const identity = JSON.stringify([code, content]);
    const done = this.done.get(partition) ?? new Set();
    if (done.has(identity)) return;
    await this.deadLetters.put(letter);
    this.done.set(partition, done.add(identity));
    const path = recordsSubject(partition);
    const { metrics, logger } = this.options;
    metrics.count('set_aside', 1);
    logger.error({ path, code, reason }, 'a record was set aside');
    const shown = body.slice(0, SHOWN_CHARACTERS).toWellFormed();
    try {
      await this.rejected.store({ ...sender, path, code, reason, body: shown });
    } catch (error) {
      // The letter itself is stored.
      logger.warn(
        { path, reason: errorReason(error) },
        'a record that was set aside could not be stored among the rejected records',
      );
    }
  }
}

/** Undefined for what JSON reads, but cannot write: it is written by recursion. */
function jsonOf(record: unknown): string | undefined {
  try {
    return JSON.stringify(record);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readableRecordParts(record: unknown): Sender & { xml: string | undefined } {
  const parts = typeof record === 'object' && record !== null ? record : {};
  return {
    receivedAt: 'receivedAt' in parts && typeof parts.receivedAt === 'number' ? parts.receivedAt : Date.now(),
    remoteAddress: 'remoteAddress' in parts && typeof parts.remoteAddress === 'string' ? parts.remoteAddress : '',
    certificateSubject:
      'certificateSubject' in parts && typeof parts.certificateSubject === 'string'
        ? parts.certificateSubject
        : undefined,
    xml: 'xml' in parts && typeof parts.xml === 'string' ? parts.xml : undefined,
  };
}
