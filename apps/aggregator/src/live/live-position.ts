import { createHash } from 'node:crypto';

/** How far the changes of calls have been told; the same for all replicas. */
export interface LivePosition {
  /** Which life of the stream of changes. */
  readonly epoch: string;
  /** Number of the last message whose changes are all known. */
  readonly sequence: number;
}

/** Short enough for an event id. */
export function epochOf(created: string): string {
  return createHash('sha256').update(created).digest('hex').slice(0, 8);
}

export function eventIdOf({ epoch, sequence }: LivePosition): string {
  return `${epoch}-${sequence}`;
}

/** Undefined for a text that is no event id of ours. */
export function positionOfEvent(id: string): LivePosition | undefined {
  const [, epoch, sequence] = /^([\da-f]{8})-(\d{1,15})$/.exec(id) ?? [];
  return epoch === undefined || sequence === undefined ? undefined : { epoch, sequence: Number(sequence) };
}
