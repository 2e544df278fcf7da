import type { SentBy } from '@ringdown/contracts/records';

/** One POST whose body has arrived. */
export interface FeedRequest {
  readonly body: Uint8Array;
  /** The collector's clock, milliseconds since 1970. */
  readonly receivedAt: number;
  /** Whether the sender has marked its records as sent long after their times. */
  readonly isBackfill?: boolean;
  /** The front end of an uploaded capture that it may report for. */
  readonly upload?: string | undefined;
  /** The same object for all requests of a connection. */
  readonly sentBy: Required<SentBy> & { readonly remoteAddress: string };
  /** Where this front end posts records; called only when the reply needs it. */
  recordsUrl(): string | undefined;
}
