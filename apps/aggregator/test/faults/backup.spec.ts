import { jest } from '@jest/globals';
import type { TestDatabase } from '@ringdown/testing/servers/database';
import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { PostgresServer } from '@ringdown/testing/servers/postgres-server';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseState, markUnfinished } from '../../src/backup/database-restore.js';
import { Database } from '../../src/store/database/database.js';
import { STORED_CALL, storedCall, type StoredCallRow } from '../../src/store/records/stored-call.js';
import { migrate, UNFINISHED_RESTORE } from '../../src/store/database/migrations.js';
import { BackupProcess, type Ended } from '../backup-process.js';
import { recordsInDatabase } from '../stored-records.js';
import type { Outcome } from './feed-ledger.js';
import { reportFault, faultRepetitions } from './report.js';
import { NOTHING_WRONG, WholeFeed } from './whole-feed.js';

jest.setTimeout(600_000);

interface Servers {
  readonly bus: TestNats;
  readonly database: TestDatabase;
}

/** Another PostgreSQL than the embedded one: that of the operator. */
async function startDatabase(): Promise<TestDatabase> {
  const server = await PostgresServer.start();
  return { url: server.url, kill: () => server.kill(), restart: () => server.launch(), stop: () => server.stop() };
}

/** What each call is and consists of. */
async function contentOfCalls(url: string): Promise<ReadonlyMap<string, string>> {
  const database = new Database({ url, poolSize: 1, logger: quietLogger() });
  try {
    const query = async (sql: string): Promise<readonly Record<string, unknown>[]> =>
      (await database.read((transaction) => transaction.query<Record<string, unknown>>(sql))).rows;
    const records = Map.groupBy(await recordsInDatabase(query), ({ callKey }) => callKey);
    const { rows } = await database.read((transaction) =>
      transaction.query<StoredCallRow & { call_key: string }>(`select call_key, ${STORED_CALL} from calls`),
    );
    return new Map(
      rows.map(({ call_key: key, ...stored }) => {
        const ofCall = records.get(key) ?? [];
        return [
          key,
          JSON.stringify([storedCall(stored), ofCall.toSorted((one, other) => (one.id < other.id ? -1 : 1))]),
        ];
      }),
    );
  } finally {
    await database.close();
  }
}

/** How many connections wait for a lock of a table. */
async function waitingFor(database: Database, table: string): Promise<number> {
  const { rows } = await database.read((transaction) =>
    transaction.query<{ waiting: number }>(
      'select count(*)::integer as waiting from pg_locks where relation = $1::regclass and not granted',
      [table],
    ),
  );
  return rows[0]?.waiting ?? 0;
}

const DONE = { code: 0, err: '' };

describe('a backup', () => {
  const started = new Started();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-backup-'));
  let feed: WholeFeed;

  beforeAll(async () => {
    feed = started.add(await WholeFeed.start({ database: await startDatabase() }));
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  async function emptyServers(): Promise<Servers> {
    return { bus: await startNats(), database: await startDatabase() };
  }

  /**
   * Starts the services on restored servers with front ends of their own, and compares the calls of the backup with those of the original
   * system. `acknowledged`: calls that it must have.
   */
  async function outcomeOf(servers: Servers, acknowledged: readonly string[], frontEnds: string): Promise<Outcome> {
    const restored = await WholeFeed.startOn(servers.bus, { database: servers.database, frontEnds });
    try {
      await restored.load.untilAcknowledged(20);
      const own = await restored.outcome();
      const [stored, original] = await Promise.all([servers, feed].map(({ database }) => contentOfCalls(database.url)));
      const isNew = (callId: string): boolean => callId.startsWith(frontEnds);
      const changed = [...(stored ?? [])].filter(
        ([callId, content]) => !isNew(callId) && content !== original?.get(callId),
      );
      return {
        lost: [...own.lost, ...acknowledged.filter((callId) => stored?.has(callId) !== true)],
        double: own.double,
        foreign: changed.map(([callId]) => callId),
      };
    } finally {
      await restored.stop();
    }
  }

  it('under load has every record that was acknowledged before it, each once, and its feed goes on', async () => {
    const tries = faultRepetitions(5);
    let compared = 0;
    for (let round = 0; round < tries; round++) {
      await feed.storesOn(200);
      const acknowledged = [...feed.load.acknowledged];
      const backup = join(folder, `under-load-${round}`);
      expect(await BackupProcess.run(feed, 'backup', backup)).toMatchObject(DONE);
      await feed.storesOn(20);
      // The new servers get the processor.
      await feed.load.pause();
      const servers = await emptyServers();
      expect(await BackupProcess.run(servers, 'restore', backup)).toMatchObject(DONE);
      expect(await outcomeOf(servers, acknowledged, `after${round}x`)).toEqual(NOTHING_WRONG);
      compared += acknowledged.length;
      feed.load.resume();
    }
    reportFault('backup under load, restored', tries, compared, NOTHING_WRONG);
  });

  it('that is killed is never taken for a complete one, and the feed is not affected', async () => {
    for (let round = 0; round < faultRepetitions(10); round++) {
      const backup = join(folder, `killed-${round}`);
      const incomplete = (): string[] => globSync(`${backup}.incomplete-*/${round % 2 === 0 ? 'database' : 'streams'}`);
      let killed: Ended;
      // It may be faster than the test.
      do {
        rmSync(backup, { recursive: true, force: true });
        const running = new BackupProcess(feed, 'backup', backup);
        await eventually('files of the backup', () => incomplete().length > 0 || existsSync(backup));
        killed = await running.kill();
      } while (killed.code !== null);
      expect(existsSync(backup)).toBe(false);
      const [left = ''] = globSync(`${backup}.incomplete-*`);
      const refused = await BackupProcess.run(feed, 'restore', left, '--check');
      expect(refused).toEqual({
        code: 1,
        out: '',
        err: `restore: ${left} is not a complete backup: it has no manifest.json\n`,
      });
    }
    await feed.storesOn(50);
  });

  it('is restored by the same command again after a restore was killed; aggregators wait for it', async () => {
    await feed.storesOn(200);
    const acknowledged = [...feed.load.acknowledged];
    const backup = join(folder, 'restored-twice');
    expect(await BackupProcess.run(feed, 'backup', backup)).toMatchObject(DONE);
    await feed.load.pause();
    const servers = await emptyServers();
    const database = new Database({ url: servers.database.url, poolSize: 2, logger: quietLogger() });
    try {
      await markUnfinished(database);
      // The last step of a restore waits for this transaction, so that it never completes before it is killed.
      await database.write(async (transaction) => {
        await transaction.query(`lock table ${UNFINISHED_RESTORE} in access share mode`);
        for (let round = 0; round < faultRepetitions(10); round++) {
          const running = new BackupProcess(servers, 'restore', backup);
          await sleep(500 + round * 200);
          expect(await running.kill()).toMatchObject({ code: null });
        }
        // Until it waits for the lock: everything else is done.
        const last = new BackupProcess(servers, 'restore', backup);
        await eventually('the last step', async () => (await waitingFor(database, UNFINISHED_RESTORE)) > 0, 60_000);
        expect(await last.kill()).toMatchObject({ code: null });
      });
      expect(await databaseState(database)).toMatchObject({ content: 'unfinished restore' });
      await expect(migrate(database)).rejects.toThrow(
        'a restore of this database was interrupted: run it again without --replace',
      );
      const copying = await BackupProcess.run(servers, 'backup', join(folder, 'of-an-unfinished-restore'));
      expect([copying.code, copying.err]).toEqual([1, 'backup: a restore of this database is not finished\n']);
      expect(await BackupProcess.run(servers, 'restore', backup)).toMatchObject(DONE);
    } finally {
      await database.close();
    }
    expect(await outcomeOf(servers, acknowledged, 'again')).toEqual(NOTHING_WRONG);
    feed.load.resume();
  });

  it('leaves the feed that it was made of with everything that was acknowledged, each once', async () => {
    const outcome = await feed.outcome();
    reportFault(
      'backups of the running system, some killed',
      faultRepetitions(10),
      feed.load.acknowledged.size,
      outcome,
    );
    expect(outcome).toEqual(NOTHING_WRONG);
  });
});
