import { SEARCHES_PER_OPERATOR } from '../../settings/user-limit-settings.js';
import type { Database } from '../../store/database/database.js';

/** The query of `GET /api/calls`, without a page: each parameter with its text, or its texts if it is repeated. */
export type SearchParameters = Readonly<Record<string, string | readonly string[]>>;

export interface SearchContent {
  readonly name: string;
  /** Whether every operator may read it. */
  readonly shared: boolean;
  readonly parameters: SearchParameters;
}

/** A search that is written. */
export interface SearchToStore extends SearchContent {
  /** Whether its author saw users. */
  readonly revealed: boolean;
}

export interface SavedSearch extends SearchToStore {
  readonly id: string;
  /** The user name of its operator. */
  readonly owner: string;
  /** Counts its changes, from 1. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly changedAt: Date;
}

/** Where a page of the list ended. */
export type SearchPosition = Pick<SavedSearch, 'changedAt' | 'id'>;

const COLUMNS =
  'id, owner, name, shared, parameters, revealed, revision, created_at as "createdAt", changed_at as "changedAt"';
/** The first of two numbers of an advisory lock: the second one is of the operator. */
const OWNER_LOCK = 716_250_025;

/** Searches that operators have saved, their own and those that others share. */
export class SavedSearches {
  constructor(private readonly database: Database) {}

  /** Those that the operator may read, the newest change first. */
  async page(operator: string, limit: number, after?: SearchPosition): Promise<readonly SavedSearch[]> {
    const { rows } = await this.database.read((transaction) =>
      transaction.query<SavedSearch>(
        `select ${COLUMNS} from saved_searches
         where (owner = $1 or shared) and ($2::uuid is null or (changed_at, id) < ($3::timestamptz, $2))
         order by changed_at desc, id desc limit $4`,
        [operator, after?.id ?? null, after?.changedAt ?? null, limit],
      ),
    );
    return rows;
  }

  /** Undefined if there is none, or if the operator may not read it. */
  async find(operator: string, id: string): Promise<SavedSearch | undefined> {
    const { rows } = await this.database.read((transaction) =>
      transaction.query<SavedSearch>(`select ${COLUMNS} from saved_searches where id = $2 and (owner = $1 or shared)`, [
        operator,
        id,
      ]),
    );
    return rows[0];
  }

  /** Undefined when the operator has {@link SEARCHES_PER_OPERATOR} already. */
  create(operator: string, { name, shared, parameters, revealed }: SearchToStore): Promise<SavedSearch | undefined> {
    return this.database.write(async (transaction) => {
      await transaction.query('select pg_advisory_xact_lock($1, hashtext($2))', [OWNER_LOCK, operator]);
      const { rows } = await transaction.query<SavedSearch>(
        `insert into saved_searches (owner, name, shared, parameters, revealed)
         select $1, $2, $3, $4, $5 where (select count(*) from saved_searches where owner = $1) < ${SEARCHES_PER_OPERATOR}
         returning ${COLUMNS}`,
        [operator, name, shared, JSON.stringify(parameters), revealed],
      );
      return rows[0];
    });
  }

  /** Undefined when the search has changed since `revision`, or was deleted. */
  change(
    { id, revision }: SavedSearch,
    { name, shared, parameters, revealed }: SearchToStore,
  ): Promise<SavedSearch | undefined> {
    return this.database.write(async (transaction) => {
      const { rows } = await transaction.query<SavedSearch>(
        `update saved_searches set name = $3, shared = $4, parameters = $5, revealed = $6, revision = revision + 1, changed_at = now()
         where id = $1 and revision = $2 returning ${COLUMNS}`,
        [id, revision, name, shared, JSON.stringify(parameters), revealed],
      );
      return rows[0];
    });
  }

  /** Whether it was deleted: not if it has changed since `revision`. */
  delete({ id, revision }: SavedSearch): Promise<boolean> {
    return this.database.write(async (transaction) => {
      const { rowCount } = await transaction.query('delete from saved_searches where id = $1 and revision = $2', [
        id,
        revision,
      ]);
      return rowCount === 1;
    });
  }
}
