// Watches how an aggregator rebuilds the calls of an earlier version.
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { peakMegabytes } from '../servers.mjs';

const MIGRATIONS = new URL('../../apps/aggregator/migrations/', import.meta.url);
const LOOK_MS = 2_000;
const LOG_EVERY = 15;

export class Rebuild {
  #server;
  #log;

  constructor(server, log) {
    this.#server = server;
    this.#log = log;
  }

  /** Resolves when the tables are those of this version; which calls are to be rebuilt is known then. */
  async migrated() {
    const newest = readdirSync(MIGRATIONS).length;
    const database = new Client({ connectionString: this.#server.url });
    await database.connect();
    try {
      for (;;) {
        const { rows } = await database.query('select max(version) as version from schema_versions');
        if (rows[0].version === newest) return;
        await sleep(100);
      }
    } finally {
      await database.end();
    }
  }

  /** Resolves with `{ most, after, megabytes }` when no call is left: sizes of the database in bytes. */
  async done(pid) {
    const database = new Client({ connectionString: this.#server.url });
    await database.connect();
    try {
      for (let look = 0, most = 0; ; look++) {
        // By its index; to count them would take both cores for seconds.
        const { rows } = await database.query(
          `select (select call_key from calls where stale order by call_key limit 1) is not null as stale, pg_database_size(current_database()) as bytes`,
        );
        const after = Number(rows[0].bytes);
        most = Math.max(most, after);
        if (!rows[0].stale) return { most, after, megabytes: peakMegabytes(pid) };
        if (look % LOG_EVERY === 0) this.#log(`rebuilding for ${look * (LOOK_MS / 1_000)} s …`);
        await sleep(LOOK_MS);
      }
    } finally {
      await database.end();
    }
  }
}
