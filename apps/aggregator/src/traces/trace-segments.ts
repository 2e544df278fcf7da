import type { Database } from '../store/database/database.js';
import { hasTable } from '../store/database/has-table.js';
import type { Transaction } from '../store/database/transaction.js';

export interface TraceRetention {
  readonly days: number;
  readonly maxBytes: number;
}

/** What {@link TraceSegments.maintain} has dropped, and what is left. */
export interface TraceMaintenance {
  readonly dropped: number;
  readonly bytes: number;
}

/** Replicas do this one after the other. */
const SEGMENTS_LOCK = 7_464_648;
/** Dropping waits for all current readers and blocks later ones, so it gives up soon: see history.ts. */
const LOCK_TIMEOUT_MS = 500;
/** A segment is closed after a day, or when it has this share of the maximum size. */
const SHARE_OF_SEGMENT = 1 / 8;

interface Segment {
  readonly number: number;
  readonly is_open: boolean;
  /** Days since it was opened and closed. */
  readonly open_days: number;
  readonly closed_days: number | null;
  readonly bytes: string;
}

/** Each segment has a part of both: see `migrations/0023-trace-messages.sql` and that of the chunks. */
const TABLES = ['trace_messages', 'trace_chunks'] as const;

/** The tables of messages, for each segment one of rows and one of chunks. */
export class TraceSegments {
  constructor(private readonly database: Database) {}

  /** Makes sure that there is a segment to write to. Returns false while the database does not have the tables yet. */
  async prepare(): Promise<boolean> {
    return this.database.write(async (transaction) => {
      if (!(await hasTable(transaction, 'trace_chunks'))) return false;
      await lock(transaction);
      const segments = await segmentsOf(transaction);
      const current = segments.find(({ is_open }) => is_open);
      await (current === undefined ? open(transaction) : createTables(transaction, current.number));
      return true;
    });
  }

  /** Opens a new segment when the current one is full or a day old, and drops the segments that are to be deleted. */
  async maintain({ days, maxBytes }: TraceRetention): Promise<TraceMaintenance> {
    await this.database.write(async (transaction) => {
      await lock(transaction);
      const current = (await segmentsOf(transaction)).find(({ is_open }) => is_open);
      if (current && current.open_days < 1 && Number(current.bytes) < maxBytes * SHARE_OF_SEGMENT) {
        // An older aggregator may have opened it.
        await createTables(transaction, current.number);
        return;
      }
      await transaction.query('update trace_segments set closed_at = now() where closed_at is null');
      await open(transaction);
    });
    return this.database.write(async (transaction) => {
      await lock(transaction);
      await transaction.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      const segments = await segmentsOf(transaction);
      let bytes = segments.reduce((sum, segment) => sum + Number(segment.bytes), 0);
      let dropped = 0;
      for (const segment of segments) {
        const isOld = segment.closed_days !== null && segment.closed_days >= days;
        if (segment.is_open || (!isOld && bytes <= maxBytes)) continue;
        for (const table of TABLES) await transaction.query(`drop table if exists ${table}_s${segment.number}`);
        await transaction.query('delete from trace_segments where number = $1', [segment.number]);
        bytes -= Number(segment.bytes);
        dropped++;
      }
      await dropOrphans(transaction);
      return { dropped, bytes };
    });
  }
}

async function lock(transaction: Transaction): Promise<void> {
  await transaction.query('select pg_advisory_xact_lock($1)', [SEGMENTS_LOCK]);
}

async function open(transaction: Transaction): Promise<void> {
  const { rows } = await transaction.query<{ number: number }>(
    'insert into trace_segments default values returning number',
  );
  const number = rows[0]?.number;
  if (number === undefined) throw new Error('a segment of messages could not be created');
  await createTables(transaction, number);
}

/** Those of a segment that are missing. */
async function createTables(transaction: Transaction, number: number): Promise<void> {
  for (const table of TABLES) {
    const part = `${table}_s${number}`;
    if (await hasTable(transaction, part)) continue;
    // Creating it as a partition at once would lock the whole table.
    await transaction.query(`create table ${part} (like ${table} including defaults including storage)`);
    await transaction.query(`alter table ${table} attach partition ${part} for values in (${number})`);
  }
}

/** Chunks of segments that an older aggregator has deleted: it does not know of them. */
async function dropOrphans(transaction: Transaction): Promise<void> {
  const { rows } = await transaction.query<{ part: string }>(
    `select inhrelid::regclass::text as part from pg_inherits
     where inhparent = 'trace_chunks'::regclass
       and inhrelid not in (select to_regclass('trace_chunks_s' || number) from trace_segments where to_regclass('trace_chunks_s' || number) is not null)`,
  );
  for (const { part } of rows) await transaction.query(`drop table ${part}`);
}

/** The oldest first. */
async function segmentsOf(transaction: Transaction): Promise<readonly Segment[]> {
  const { rows } = await transaction.query<Segment>(
    `select number, closed_at is null as is_open,
       extract(epoch from now() - opened_at)::float8 / 86400 as open_days,
       extract(epoch from now() - closed_at)::float8 / 86400 as closed_days,
       (coalesce(pg_total_relation_size(to_regclass('trace_messages_s' || number)), 0)
         + coalesce(pg_total_relation_size(to_regclass('trace_chunks_s' || number)), 0))::text as bytes
     from trace_segments order by number`,
  );
  return rows;
}
