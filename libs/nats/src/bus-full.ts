/**
 * A write that was rejected because its bucket has reached its limit. Interfaces answer 503; existing entries are kept.
 */
export class BusFull extends Error {
  override readonly name = 'BusFull';
  readonly statusCode = 503;
  readonly retryAfterSeconds = 60;

  /** `setting`: the setting that raises the limit, if known. */
  constructor(bucket: string, setting: string | undefined, cause: unknown) {
    super(`${bucket} on the message bus is full${setting === undefined ? '' : ` (${setting})`}`, { cause });
  }
}
