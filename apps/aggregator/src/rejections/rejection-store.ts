import type { RejectedRecord } from '@ringdown/contracts/set-aside';
import { createHash } from 'node:crypto';
import { rejectedFeedKey } from '../feed/rejected-counts.js';
import type { Database } from '../store/database/database.js';
import { hasTable } from '../store/database/has-table.js';

/** Longer names are not those of front ends. */
const MOST_CHARACTERS = 255;

/** Writes which feeds had records rejected, when and why, and deletes old rows. */
export class RejectionStore {
  constructor(private readonly database: Database) {}

  /** False while the database does not have the table yet. */
  isPrepared(): Promise<boolean> {
    return this.database.read((transaction) => hasTable(transaction, 'rejections'));
  }

  /** `sequence`: in the stream. The same one again is stored once. */
  async add(sequence: number, rejected: RejectedRecord): Promise<void> {
    const { receivedAt, code, body } = rejected;
    const feed = rejectedFeedKey(rejected).slice(0, MOST_CHARACTERS);
    const id = createHash('sha256')
      .update(JSON.stringify([sequence, receivedAt, rejected.remoteAddress, body]))
      .digest();
    await this.database.write((transaction) =>
      transaction.query(
        `insert into rejections (id, feed_key, code, at) values ($1, $2, $3, to_timestamp($4 / 1000.0))
         on conflict do nothing`,
        [id, feed.replaceAll('\0', '').toWellFormed(), code, receivedAt],
      ),
    );
  }

  /** Returns how many rows were deleted. */
  async deleteOld(days: number): Promise<number> {
    const { rowCount } = await this.database.write((transaction) =>
      transaction.query(`delete from rejections where at < now() - $1::integer * interval '1 day'`, [days]),
    );
    return rowCount ?? 0;
  }
}
