import type { Database } from '../../store/database/database.js';

/** The owners of saved searches, and which of them are missing in the directory. */
export class SearchOwners {
  constructor(private readonly database: Database) {}

  /** In the order of their names, those behind `after`. */
  async list(limit: number, after = ''): Promise<readonly string[]> {
    const { rows } = await this.database.read((transaction) =>
      transaction.query<{ owner: string }>(
        'select distinct owner from saved_searches where owner > $1 order by owner limit $2',
        [after, limit],
      ),
    );
    return rows.map(({ owner }) => owner);
  }

  /** Records since when those of `owners` are missing that are not `known`. */
  async mark(owners: readonly string[], known: readonly string[]): Promise<void> {
    await this.database.write((transaction) =>
      transaction.query(
        `update saved_searches set owner_missing_since = case when owner = any($2) then null else now() end
         where owner = any($1) and (owner = any($2)) = (owner_missing_since is not null)`,
        [owners, known],
      ),
    );
  }

  /** Returns how many searches were deleted because their owner has been missing that long. */
  async deleteMissing(days: number): Promise<number> {
    return this.database.write(async (transaction) => {
      const { rowCount } = await transaction.query(
        `delete from saved_searches where owner_missing_since < now() - interval '1 day' * $1`,
        [days],
      );
      return rowCount ?? 0;
    });
  }
}
