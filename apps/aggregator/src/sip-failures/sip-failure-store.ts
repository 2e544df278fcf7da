import type { SipFailureReport } from '@ringdown/contracts/sip-failures';
import { frontEndKey } from '../calls/call-keys.js';
import type { Database } from '../store/database/database.js';
import { hasTable } from '../store/database/has-table.js';

const INSERT = `insert into sip_failures (report, method, status, peer, feed_key, feed, at, failures)
  select $1, method, status, peer, $2, $3, to_timestamp($4 / 1000.0), count
  from json_to_recordset($5) as given (method text, status text, peer text, count integer)
  on conflict do nothing`;

/** Writes reports of failed SIP requests, and deletes old ones. */
export class SipFailureStore {
  constructor(private readonly database: Database) {}

  /** False while the database does not have the table yet. */
  isPrepared(): Promise<boolean> {
    return this.database.read((transaction) => hasTable(transaction, 'sip_failures'));
  }

  async add({ id, frontEnd, receivedAt, failures }: SipFailureReport): Promise<void> {
    const values = [id, frontEndKey(frontEnd), frontEnd, receivedAt, JSON.stringify(failures)];
    await this.database.write((transaction) => transaction.query(INSERT, values));
  }

  /** Rows that are too old, and the oldest beyond this number. Returns how many were deleted. */
  async deleteOld(days: number, mostRows: number): Promise<number> {
    const { rowCount } = await this.database.write((transaction) =>
      transaction.query(
        `delete from sip_failures where at < now() - $1::integer * interval '1 day'
           or at < (select at from sip_failures order by at desc offset $2 limit 1)`,
        [days, mostRows],
      ),
    );
    return rowCount ?? 0;
  }
}
