import { jest } from '@jest/globals';
import { startXml } from '@ringdown/aggregator/test/feed-examples.js';
import { FeedLedger, NOTHING_WRONG } from '@ringdown/aggregator/test/faults/feed-ledger.js';
import { reportFault, faultRepetitions } from '@ringdown/aggregator/test/faults/report.js';
import { embeddedDatabaseUrl } from '@ringdown/embedded/database';
import { eventually } from '@ringdown/testing/eventually';
import { FeedLoad } from '@ringdown/testing/feed-load';
import { freePorts, launch, running } from '@ringdown/testing/launched-system';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { SmallDisk } from '@ringdown/testing/small-disk';
import { Started } from '@ringdown/testing/started';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { readSystemStatus } from '../../src/status.js';

jest.setTimeout(2_400_000);

/** What is left, in turn: nothing, less than a segment of the database's log (16 MB), and a little more. */
const MEGABYTES_LEFT = [0, 2, 8, 12, 20];
const SERVES_WITHIN_MS = 30_000;

describe('a system whose only disk is full', () => {
  const started = new Started();
  let disk: SmallDisk;
  let data: string;
  let load: FeedLoad;
  let ledger: FeedLedger;

  beforeAll(async () => {
    disk = started.add(SmallDisk.mount(900));
    data = join(disk.folder, 'data');
    await seedDatabase(join(data, 'database'));
    const ports = await freePorts();
    await running(started.add(launch({ ...ports, DATA_DIR: data })));
    load = new FeedLoad({
      bases: [`http://127.0.0.1:${ports.COLLECTOR_PORT}`],
      senders: 4,
      paceMs: 20,
      record: startXml,
    });
    ledger = new FeedLedger(embeddedDatabaseUrl(join(data, 'database')) ?? '', load);
  });
  afterAll(async () => {
    await load.stop();
    await ledger.stop();
    await started.stopAll();
  });

  const isReady = async (): Promise<boolean> => (await readSystemStatus(data)).code === 0;

  /** The database needs room only when what it has reserved for its log is used up. */
  async function useUpLog(): Promise<void> {
    const password = readFileSync(join(data, 'database', 'postgres.password'), 'utf8').trim();
    const address = new URL(embeddedDatabaseUrl(join(data, 'database')) ?? '');
    [address.username, address.password, address.pathname] = ['postgres', password, '/postgres'];
    for (;;) {
      const client = new Client({ connectionString: address.href, query_timeout: 10_000 });
      client.on('error', () => undefined);
      try {
        await client.connect();
        for (;;) await client.query('select pg_current_xact_id(), pg_switch_wal()');
      } catch {
        return;
      } finally {
        await client.end().catch(() => undefined);
      }
    }
  }

  it('rejects records, and serves again within 30 s without help when there is room, with all it has accepted', async () => {
    const tries = faultRepetitions(20);
    const seconds: number[] = [];
    for (let n = 0; n < tries; n++) {
      await ledger.storesOn(20);
      disk.fill();
      disk.freeSpace(MEGABYTES_LEFT[n % MEGABYTES_LEFT.length] ?? 0);
      await useUpLog();
      // A database that starts again after that has removed files.
      disk.fill();
      await load.untilRejected(8);
      expect(await isReady()).toBe(false);
      disk.freeSpace();
      const since = performance.now();
      await Promise.all([
        load.untilAcknowledged(20),
        ledger.storesOn(20),
        eventually('the system to be ready', isReady, 120_000),
      ]);
      seconds.push((performance.now() - since) / 1_000);
    }
    const outcome = await ledger.outcome();
    const middle = seconds.toSorted((a, b) => a - b)[seconds.length >> 1] ?? 0;
    const longest = Math.max(...seconds);
    const recovery = `serves again after ${middle.toFixed(0)} s (longest ${longest.toFixed(0)} s)`;
    reportFault(`the disk of \`npm start\` full, then freed; ${recovery}`, tries, load.acknowledged.size, outcome);
    expect(outcome).toEqual(NOTHING_WRONG);
    expect(longest).toBeLessThan(SERVES_WITHIN_MS / 1_000);
  });
});
