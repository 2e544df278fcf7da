import type { DroppedMessages } from '@ringdown/bus';
import type { Database } from './database.js';

/** Long enough to be seen, and to be forgotten without anybody's help. */
const LATELY = `interval '1 day'`;
const KEPT = `interval '90 days'`;

/** Says whether this was not known yet: of a gap that grows before it is passed, the larger figure counts. */
export function noteDropped(database: Database, { after, messages }: DroppedMessages): Promise<boolean> {
  return database.write(async (transaction) => {
    await transaction.query(`delete from dropped_messages where noticed_at < now() - ${KEPT}`);
    const { rowCount } = await transaction.query(
      `insert into dropped_messages as known (epoch, after_sequence, messages) values ($1, $2, $3)
       on conflict (epoch, after_sequence) do update set messages = excluded.messages, noticed_at = now()
       where known.messages < excluded.messages`,
      [after.epoch, after.sequence, messages],
    );
    return rowCount === 1;
  });
}

/** Messages, noticed within a day. */
export async function droppedLately(database: Database): Promise<number> {
  const { rows } = await database.read((transaction) =>
    transaction.query<{ messages: string }>(
      `select coalesce(sum(messages), 0) as messages from dropped_messages where noticed_at > now() - ${LATELY}`,
    ),
  );
  return Number(rows[0]?.messages ?? 0);
}
