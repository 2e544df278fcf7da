import { createHash } from 'node:crypto';

/** How far the changes of calls have been published; the same for all replicas. */
export interface LivePosition {
  /** Identifies the stream of changes; a recreated stream has another epoch. */
  readonly epoch: string;
  /** Number of the last message, up to which all changes are known. */
  readonly sequence: number;
  /**
   * When the bus stored that message, milliseconds since 1970: a bus that has lost its newest messages assigns their
   * numbers to other messages. 0 when it is not known, as before the first message.
   */
  readonly storedAt: number;
}

/** Short enough for an event id. */
export function liveEpoch(created: string): string {
  return createHash('sha256').update(created).digest('hex').slice(0, 8);
}

export function liveEventId({ epoch, sequence, storedAt }: LivePosition): string {
  return `${epoch}-${sequence}-${storedAt.toString(36)}`;
}

/** Undefined for a text that is not one of our event ids. */
export function positionOfEvent(id: string): LivePosition | undefined {
  const [, epoch, sequence, storedAt] = /^([\da-f]{8})-(\d{1,15})-([\da-z]{1,9})$/.exec(id) ?? [];
  if (epoch === undefined || sequence === undefined || storedAt === undefined) return undefined;
  return { epoch, sequence: Number(sequence), storedAt: Number.parseInt(storedAt, 36) };
}
