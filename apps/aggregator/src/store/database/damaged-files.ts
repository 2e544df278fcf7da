import type { Logger } from '@ringdown/observability';
import { DatabaseError } from 'pg';

/** data_corrupted and index_corrupted ("PostgreSQL Error Codes" of its manual): a page has a wrong checksum, or is cut off. */
const DAMAGE: readonly (string | undefined)[] = ['XX001', 'XX002'];
/** undefined_file and io_error: of a file of the database, or of one that a query names. */
const NOT_READ: readonly (string | undefined)[] = ['58P01', '58030'];
/** A file of the data folder, as messages name it; a part of a large table has a number behind a point. */
const FILE = /"((?:base|global|pg_tblspc|pg_xact|pg_multixact|pg_subtrans)\/[^"]+)"/;
const MOST_FILES = 1_000;

export const DAMAGED = 'a file of the database is damaged';

/** Whether a query failed on a file that cannot be read, or has another content than PostgreSQL wrote. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  return DAMAGE.includes(error.code) || (NOT_READ.includes(error.code) && FILE.test(error.message));
}

/** The damaged files that queries have met since this process began to use this server. */
export class DamagedFiles {
  private readonly reasons = new Map<string, string>();

  constructor(private readonly logger: Logger) {}

  get count(): number {
    return this.reasons.size;
  }

  /** Logs each file once; other errors are ignored. */
  note(error: unknown): void {
    if (!(error instanceof DatabaseError) || !isDamage(error)) return;
    const { message } = error;
    // Of an index, the message has its name instead.
    const [, file = message] = FILE.exec(message) ?? [];
    if (this.reasons.has(file) || this.reasons.size >= MOST_FILES) return;
    this.reasons.set(file, message);
    const wayOut = 'docs/guides/backup.md, "When files of the database are damaged"';
    this.logger.error({ file, reason: message, wayOut }, DAMAGED);
  }

  /** Another server may have undamaged files. */
  forget(): void {
    this.reasons.clear();
  }

  /** A health check. */
  assertNone(): void {
    const [reason] = this.reasons.values();
    if (reason === undefined) return;
    const others = this.reasons.size === 1 ? '' : ` (and ${this.reasons.size - 1} more)`;
    throw new Error(`${DAMAGED}: ${reason}${others}`);
  }
}
