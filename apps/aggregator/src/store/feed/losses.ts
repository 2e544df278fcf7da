import type { LostMessages } from '@ringdown/feed-bus';
import type { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';

/** Long enough to be seen, and it clears without any action. */
const LATELY = `interval '1 day'`;
const KEPT = `interval '90 days'`;

/** What the bus has lost within a day. */
export interface RecentLosses {
  /** Messages that were still unread when the bus dropped them because of its limits. */
  readonly droppedMessages: number;
  /** How many times the bus came back without its newest messages. */
  readonly shortened: number;
  /** Messages that it had lost by then, at least; most of them had been read. */
  readonly shortenedMessages: number;
  /** Milliseconds since 1970. */
  readonly shortenedAt: number | undefined;
}

/** Returns whether the loss was not known yet: of a gap that grows before it is passed, the larger number counts. */
export function storeLoss(database: Database, loss: LostMessages): Promise<boolean> {
  return database.write(async (transaction) => {
    for (const table of ['dropped_messages', 'shortened_streams'])
      await transaction.query(`delete from ${table} where noticed_at < now() - ${KEPT}`);
    return loss.kind === 'dropped' ? noteDropped(transaction, loss) : noteShortened(transaction, loss);
  });
}

async function noteDropped(transaction: Transaction, { after, messages }: LostMessages): Promise<boolean> {
  const { rowCount } = await transaction.query(
    `insert into dropped_messages as known (epoch, after_sequence, messages) values ($1, $2, $3)
     on conflict (epoch, after_sequence) do update set messages = excluded.messages, noticed_at = now()
     where known.messages < excluded.messages`,
    [after.epoch, after.sequence, messages],
  );
  return rowCount === 1;
}

async function noteShortened(transaction: Transaction, { after, messages }: LostMessages): Promise<boolean> {
  const { rowCount } = await transaction.query(
    `insert into shortened_streams (epoch, after_sequence, digest, messages) values ($1, $2, $3, $4) on conflict do nothing`,
    [after.epoch, after.sequence, after.message?.digest ?? '', messages],
  );
  return rowCount === 1;
}

export async function recentLosses(database: Database): Promise<RecentLosses> {
  interface Row {
    readonly dropped: string;
    readonly times: number;
    readonly messages: string;
    readonly at: Date | null;
  }
  const { rows } = await database.read((transaction) =>
    transaction.query<Row>(
      `select (select coalesce(sum(messages), 0) from dropped_messages where noticed_at > now() - ${LATELY}) as dropped,
         count(*)::integer as times, coalesce(sum(messages), 0) as messages, max(noticed_at) as at
       from shortened_streams where noticed_at > now() - ${LATELY}`,
    ),
  );
  const [row] = rows;
  return {
    droppedMessages: Number(row?.dropped ?? 0),
    shortened: row?.times ?? 0,
    shortenedMessages: Number(row?.messages ?? 0),
    shortenedAt: row?.at?.getTime(),
  };
}
