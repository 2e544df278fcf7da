import { createHash } from 'node:crypto';

/** How far the changes of calls have been told; the same for all replicas. */
export interface LivePosition {
  /** Which life of the stream of changes. */
  readonly epoch: string;
  /** Number of the last message whose changes are all known. */
  readonly sequence: number;
  /**
   * When the bus stored that message, milliseconds since 1970: a bus that has lost its newest messages gives their numbers
   * to others. 0 where it is not known, as before the first.
   */
  readonly storedAt: number;
}

/** Short enough for an event id. */
export function epochOf(created: string): string {
  return createHash('sha256').update(created).digest('hex').slice(0, 8);
}

export function eventIdOf({ epoch, sequence, storedAt }: LivePosition): string {
  return `${epoch}-${sequence}-${storedAt.toString(36)}`;
}

/** Undefined for a text that is no event id of ours. */
export function positionOfEvent(id: string): LivePosition | undefined {
  const [, epoch, sequence, storedAt] = /^([\da-f]{8})-(\d{1,15})-([\da-z]{1,9})$/.exec(id) ?? [];
  if (epoch === undefined || sequence === undefined || storedAt === undefined) return undefined;
  return { epoch, sequence: Number(sequence), storedAt: Number.parseInt(storedAt, 36) };
}
