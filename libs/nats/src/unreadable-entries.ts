import { errorReason } from '@ringdown/errors';
import { RateLimitedLog, type Logger } from '@ringdown/observability';

/** Which entry; without a revision, its key is none that entries can have. */
interface EntryPlace {
  readonly bucket: string;
  readonly key: string;
  readonly revision?: number;
}

/** An entry whose key or JSON its reader does not know. */
export class UnreadableEntry extends Error {
  override readonly name = 'UnreadableEntry';

  constructor(
    readonly place: EntryPlace,
    cause: unknown,
  ) {
    super(`the entry ${place.key} of the bucket ${place.bucket} cannot be read: ${errorReason(cause)}`, { cause });
  }
}

const LOG_MS = 600_000;
/** Entries that are known to be unreadable; beyond that they are told of again. */
const MAX_KNOWN = 10_000;

/**
 * Entries that cannot be read are left out, and hide no others: who may write one entry of a bucket, in an account that
 * is trusted less, could otherwise keep its readers from all. Each is counted once, however often it is read; a bucket
 * is logged now and then.
 */
export class UnreadableEntries {
  private readonly known = new Set<string>();
  private readonly logs = new Map<string, RateLimitedLog>();

  constructor(
    private readonly logger: Logger,
    private readonly onUnreadable: (bucket: string) => void,
  ) {}

  /** Throws every other error again. */
  leaveOut(error: unknown): void {
    if (!(error instanceof UnreadableEntry)) throw error;
    const { bucket, key, revision } = error.place;
    const id = JSON.stringify([bucket, key, revision]);
    if (this.known.has(id)) return;
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.add(id);
    this.onUnreadable(bucket);
    const log = this.logs.get(bucket) ?? new RateLimitedLog(LOG_MS);
    this.logs.set(bucket, log);
    const reason = errorReason(error.cause);
    log.log((leftOut) =>
      this.logger.warn({ bucket, key, reason, leftOut }, 'an entry of a bucket cannot be read and is left out'),
    );
  }
}
