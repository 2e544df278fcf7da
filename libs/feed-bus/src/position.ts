import type { StreamPosition } from '@ringdown/nats/reading';

/** How far a partition has been read, as stored in a reader's database. */
export interface Position extends StreamPosition {
  /**
   * The reading has started again. Messages that the bus stored up to this time, milliseconds since 1970, may have been
   * read before: duplicates among their records were not necessarily sent by a front end.
   */
  readonly rereadUntil?: number;
}
