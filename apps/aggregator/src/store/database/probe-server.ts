import { Client } from 'pg';
import type { DatabaseServer } from '../../database-servers.js';

export interface ServerState {
  readonly isStandby: boolean;
  /** Increases with each promotion of a standby; 0 for a standby. */
  readonly timeline: number;
  /** By how much a standby is behind, seconds; 0 for a primary. */
  readonly lagSeconds: number;
}

const PROBE_MS = 3_000;
/** The current timeline is the first part of the name of the file that is written; the last checkpoint may have another. */
const PROBE = `
  select pg_is_in_recovery() as "isStandby",
    case when pg_is_in_recovery() then '0' else left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline,
    case
      when not pg_is_in_recovery() then 0
      when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() and exists (select from pg_stat_wal_receiver) then 0
      else coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0)
    end::float8 as "lagSeconds"`;

/** Asks a server over a connection of its own. Rejects with the driver's error. */
export async function probeServer({ url }: DatabaseServer): Promise<ServerState> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
    application_name: 'ringdown choice of server',
  });
  // A lost connection rejects the query as well; without a listener, it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ isStandby: boolean; timeline: string; lagSeconds: number }>(PROBE);
    const [row] = rows;
    if (row === undefined) throw new Error('no answer');
    return { ...row, timeline: Number.parseInt(row.timeline, 16) };
  } finally {
    // Without waiting: a server that does not answer would not confirm it.
    void client.end().catch(() => undefined);
  }
}
