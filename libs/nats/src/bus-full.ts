/** A write that was refused because its bucket holds as much as it may. Interfaces answer 503; what is kept stays. */
export class BusFull extends Error {
  override readonly name = 'BusFull';
  readonly statusCode = 503;
  readonly retryAfterSeconds = 60;

  /** `setting`: the one that raises the limit, where it is known. */
  constructor(bucket: string, setting: string | undefined, cause: unknown) {
    super(`${bucket} on the message bus is full${setting === undefined ? '' : ` (${setting})`}`, { cause });
  }
}
