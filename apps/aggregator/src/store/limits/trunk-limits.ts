import type { Database } from '../database/database.js';

/** How many calls a trunk may have at the same time. */
export interface TrunkLimit {
  /** As statistics count it. */
  readonly trunk: string;
  readonly calls: number;
  readonly changedAt: Date;
  /** Another one after each change. */
  readonly revision: string;
}

/** What an admin sets. */
export interface LimitToStore extends Pick<TrunkLimit, 'trunk' | 'calls'> {
  readonly changedBy: string;
}

const REVISION = `(extract(epoch from changed_at) * 1000000)::bigint::text`;
const COLUMNS = `trunk, calls, changed_at as "changedAt", ${REVISION} as revision`;

/** The limits of trunks, which admins set. */
export class TrunkLimits {
  constructor(private readonly database: Database) {}

  async all(): Promise<readonly TrunkLimit[]> {
    const { rows } = await this.database.read((transaction) =>
      transaction.query<TrunkLimit>(`select ${COLUMNS} from trunk_limits order by trunk`),
    );
    return rows;
  }

  /** Undefined when the trunk has a limit already. */
  async create({ trunk, calls, changedBy }: LimitToStore): Promise<TrunkLimit | undefined> {
    const { rows } = await this.database.write((transaction) =>
      transaction.query<TrunkLimit>(
        `insert into trunk_limits (trunk, calls, changed_by) values ($1, $2, $3) on conflict do nothing returning ${COLUMNS}`,
        [trunk, calls, changedBy],
      ),
    );
    return rows[0];
  }

  /** Undefined when the limit has changed since it was read, or was deleted. */
  async change({ trunk, revision }: TrunkLimit, calls: number, changedBy: string): Promise<TrunkLimit | undefined> {
    const { rows } = await this.database.write((transaction) =>
      transaction.query<TrunkLimit>(
        `update trunk_limits set calls = $3, changed_by = $4, changed_at = greatest(now(), changed_at + interval '1 microsecond')
         where trunk = $1 and ${REVISION} = $2 returning ${COLUMNS}`,
        [trunk, revision, calls, changedBy],
      ),
    );
    return rows[0];
  }

  /** Whether it was deleted: not if it has changed since it was read. */
  async delete({ trunk, revision }: TrunkLimit): Promise<boolean> {
    const { rowCount } = await this.database.write((transaction) =>
      transaction.query(`delete from trunk_limits where trunk = $1 and ${REVISION} = $2`, [trunk, revision]),
    );
    return rowCount === 1;
  }
}
