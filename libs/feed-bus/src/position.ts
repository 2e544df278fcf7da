import type { StreamPosition } from '@ringdown/nats';

/** How far a partition has been read, as a reader's database keeps it. */
export interface Position extends StreamPosition {
  /**
   * The reading has started over. Messages that the bus stored up to this time, milliseconds since 1970, may have been read
   * before: copies among their records are not copies that a front end has sent.
   */
  readonly rereadUntil?: number;
}
