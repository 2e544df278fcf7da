/** What became of one record. None of them is ever sent a second time (spec, "Diagnostics feed"). */
export type Delivery = Fate & {
  /** The record as it was on the wire, the last time if several; absent when it was not. */
  readonly sent?: string;
};

type Fate =
  | {
      readonly outcome: 'answered';
      /** Sequence number that the record carried; absent on quality records, which have none. */
      readonly cseq: number | undefined;
      /** `Count` of the reply; absent when the collector does not say one. */
      readonly count: number | undefined;
    }
  /** The collector does not want this record (4xx). The connection goes on. */
  | { readonly outcome: 'refused'; readonly status: number; readonly reason: string }
  /** The collector could not take it (5xx), or answered something else that is not 200. The connection goes on. */
  | { readonly outcome: 'failed'; readonly status: number; readonly reason: string }
  /** Nobody answered, or the connection rests after an outage. */
  | { readonly outcome: 'lost'; readonly reason: string };

export type DeliveryOutcome = Delivery['outcome'];

/** How records of one or several connections fared. */
export interface DeliveryCounts {
  readonly sent: number;
  readonly answered: number;
  readonly refused: number;
  readonly failed: number;
  readonly lost: number;
  /** Of those that were answered. */
  readonly withoutCount: number;
}

/** All that is known of an answer is that it holds a `Count` (spec, "Diagnostics feed"). One without it still is 200. */
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
