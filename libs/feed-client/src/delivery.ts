import type { CollectorAnswer } from './http-answer.js';

/** The outcome for one record. The specification sends each record only once ("Diagnostics feed"). */
export type Delivery = Outcome & {
  /** The record as it was on the wire, the last time if it was sent several times; absent if it was never sent. */
  readonly sent?: string;
};

type Outcome =
  | {
      readonly outcome: 'answered';
      /** Sequence number that the record carried; absent on quality records, which have none. */
      readonly cseq: number | undefined;
      /** `Count` of the reply; absent when the reply has none. */
      readonly count: number | undefined;
    }
  /** The collector rejected this record (4xx). The connection stays open. */
  | { readonly outcome: 'refused'; readonly status: number; readonly reason: string }
  /**
   * The collector could not accept it (5xx), or answered with another status than 200. The connection stays open. `cseq`:
   * the number that it was sent with.
   */
  | { readonly outcome: 'failed'; readonly status: number; readonly reason: string; readonly cseq?: number | undefined }
  /** There was no answer, or the connection is paused after an outage. `cseq`: as of `failed`. */
  | { readonly outcome: 'lost'; readonly reason: string; readonly cseq?: number | undefined };

export type DeliveryOutcome = Delivery['outcome'];

/** Records of one or several connections by outcome. */
export interface DeliveryCounts {
  readonly sent: number;
  readonly answered: number;
  readonly refused: number;
  readonly failed: number;
  readonly lost: number;
  /** Of those that were answered. */
  readonly withoutCount: number;
}

/** The specification only says that an answer contains a `Count` ("Diagnostics feed"). Without it the answer is still 200. */
export function lacksCount(delivery: Delivery): boolean {
  return delivery.outcome === 'answered' && delivery.count === undefined;
}

export class DeliveryTally {
  private readonly counted: Record<DeliveryOutcome, number> = { answered: 0, refused: 0, failed: 0, lost: 0 };

  private withoutCount = 0;

  add(delivery: Delivery): void {
    this.counted[delivery.outcome]++;
    if (lacksCount(delivery)) this.withoutCount++;
  }

  get counts(): DeliveryCounts {
    const { answered, refused, failed, lost } = this.counted;
    const sent = answered + refused + failed + lost;
    return { sent, answered, refused, failed, lost, withoutCount: this.withoutCount };
  }
}

/** Whether the collector rejected the request; it would reject the same one again. */
export function isRejection(status: number): boolean {
  return status >= 400 && status < 500;
}

/** Statuses of a collector that works but is busy. */
const BUSY: ReadonlySet<number> = new Set([408, 429]);

/** A rejection that is not about the moment: the same body is not sent again. */
export function isFinalRejection(status: number): boolean {
  return isRejection(status) && !BUSY.has(status);
}

const SHOWN_REASON = 200;

/** Why a collector did not accept a record, for an operator. */
export function reasonIn({ status, body }: CollectorAnswer): string {
  const text = body
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return text === '' ? `status ${status}` : `status ${status}: ${text.slice(0, SHOWN_REASON)}`;
}
