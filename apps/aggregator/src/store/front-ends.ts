import { IS_IN_PROGRESS } from './call-states.js';
import type { Database } from './database.js';

export interface FrontEnd {
  readonly name: string;
  /** Clock of the collector. */
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** Different records that named it, and copies that were recognised. */
  readonly records: number;
  readonly duplicates: number;
  readonly callsInProgress: number;
}

export interface FrontEndPage {
  readonly frontEnds: readonly FrontEnd[];
  /** Key of the last one; undefined on the last page. */
  readonly next: string | undefined;
}

interface Row {
  readonly name_key: string;
  readonly name: string;
  readonly first_seen: Date;
  readonly last_seen: Date;
  readonly records: string;
  readonly duplicates: string;
  readonly calls: number;
}

/** Everything that is asked about front ends. */
export class FrontEndQueries {
  constructor(private readonly database: Database) {}

  /** By name; those behind the key `after`, where it is given. */
  async page(limit: number, after?: string): Promise<FrontEndPage> {
    const { rows } = await this.database.read((transaction) =>
      transaction.query<Row>(
        `select name_key, (array_agg(name order by first_seen))[1] as name, min(first_seen) as first_seen,
           max(last_seen) as last_seen, sum(records) as records, sum(duplicates) as duplicates,
           coalesce(max(calls), 0)::integer as calls
         from front_ends left join (
           select unnest(front_ends) as name_key, count(*) as calls from calls where ${IS_IN_PROGRESS} group by 1
         ) as live using (name_key)
         where name_key > $1 group by name_key order by name_key limit $2`,
        [after ?? '', limit + 1],
      ),
    );
    const page = rows.slice(0, limit);
    return { frontEnds: page.map(frontEndOf), next: rows.length > limit ? page.at(-1)?.name_key : undefined };
  }
}

function frontEndOf(row: Row): FrontEnd {
  return {
    name: row.name,
    firstSeen: row.first_seen.toISOString(),
    lastSeen: row.last_seen.toISOString(),
    records: Number(row.records),
    duplicates: Number(row.duplicates),
    callsInProgress: row.calls,
  };
}
