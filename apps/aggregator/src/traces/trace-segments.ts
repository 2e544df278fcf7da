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

/** The tables of messages, one for each segment (see `migrations/0023-trace-messages.sql`). */
export class TraceSegments {
  constructor(private readonly database: Database) {}

  /** Makes sure that there is a segment to write to. Returns false while the database does not have the tables yet. */
  async prepare(): Promise<boolean> {
    return this.database.write(async (transaction) => {
      if (!(await hasTable(transaction, 'trace_messages'))) return false;
      await lock(transaction);
      const segments = await segmentsOf(transaction);
      if (!segments.some(({ is_open }) => is_open)) await open(transaction);
      return true;
    });
  }

  /** Opens a new segment when the current one is full or a day old, and drops the segments that are to be deleted. */
  async maintain({ days, maxBytes }: TraceRetention): Promise<TraceMaintenance> {
    await this.database.write(async (transaction) => {
      await lock(transaction);
      const current = (await segmentsOf(transaction)).find(({ is_open }) => is_open);
      if (current && current.open_days < 1 && Number(current.bytes) < maxBytes * SHARE_OF_SEGMENT) return;
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
        await transaction.query(`drop table ${segmentTable(segment.number)}`);
        await transaction.query('delete from trace_segments where number = $1', [segment.number]);
        bytes -= Number(segment.bytes);
        dropped++;
      }
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
  // Creating it as a partition at once would lock the whole table.
  await transaction.query(`create table ${segmentTable(number)} (like trace_messages including defaults)`);
  await transaction.query(
    `alter table trace_messages attach partition ${segmentTable(number)} for values in (${number})`,
  );
}

/** The oldest first. */
async function segmentsOf(transaction: Transaction): Promise<readonly Segment[]> {
  const { rows } = await transaction.query<Segment>(
    `select number, closed_at is null as is_open,
       extract(epoch from now() - opened_at)::float8 / 86400 as open_days,
       extract(epoch from now() - closed_at)::float8 / 86400 as closed_days,
       coalesce(pg_total_relation_size(to_regclass('trace_messages_s' || number)), 0)::text as bytes
     from trace_segments order by number`,
  );
  return rows;
}

function segmentTable(number: number): string {
  return `trace_messages_s${number}`;
}
