import { jest } from '@jest/globals';
import { startXml } from '@ringdown/aggregator/test/feed-examples.js';
import { FeedLedger, NOTHING_WRONG } from '@ringdown/aggregator/test/faults/feed-ledger.js';
import { reportFault, faultRepetitions } from '@ringdown/aggregator/test/faults/report.js';
import { embeddedDatabaseUrl } from '@ringdown/embedded/database';
import { FeedLoad } from '@ringdown/testing/feed-load';
import { freePorts, launch, type LaunchedSystem, type Ports, running } from '@ringdown/testing/launched-system';
import { LossyDisk } from '@ringdown/testing/lossy-disk';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { programEnvironment } from '@ringdown/testing/program-environment';
import { programFile } from '@ringdown/testing/program-file';
import { processesIn } from '@ringdown/testing/running-processes';
import { Started } from '@ringdown/testing/started';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NOT_DATA } from '../../src/upgrade/kept-copies.js';
import { ownRelease } from '../../src/upgrade/release.js';
import { folderDigests } from '../folder-digests.js';

jest.setTimeout(2_400_000);

const own = ownRelease();

describe('power that is cut during an upgrade', () => {
  const started = new Started();
  let disk: LossyDisk;
  let data: string;
  let ports: Ports;
  let load: FeedLoad;
  let ledger: FeedLedger;
  let system: LaunchedSystem;
  let upgradeMs: number;

  beforeAll(async () => {
    disk = LossyDisk.mount(1_200);
    data = join(disk.folder, 'data');
    ports = await freePorts();
    await seedDatabase(join(data, 'database'));
    system = await start();
    const bases = [`http://127.0.0.1:${ports.COLLECTOR_PORT}`];
    load = started.add(new FeedLoad({ bases, senders: 2, paceMs: 20, record: startXml }));
    ledger = new FeedLedger(embeddedDatabaseUrl(join(data, 'database')) ?? '', load);
    await load.untilAcknowledged(20);
    await system.stop();
    olderSchema();
    const begun = performance.now();
    system = await start();
    upgradeMs = performance.now() - begun;
  });
  afterAll(async () => {
    await load.stop();
    await ledger.stop();
    await system.stop();
    await started.stopAll();
    await disk.stop();
  });

  async function start(): Promise<LaunchedSystem> {
    const launched = launch({ ...ports, DATA_DIR: data, UPGRADE_COPY: 'on' });
    await running(launched);
    return launched;
  }

  /** As if the version before this one had left the data. */
  function olderSchema(): void {
    const file = join(data, 'data-version.json');
    const found: object = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...found, schema: own.schema - 1 }), { flush: true });
    execFileSync('sync', ['-f', file]);
  }

  /** Of what belongs to the data. */
  function digests(folder: string): ReadonlyMap<string, string> {
    return new Map([...folderDigests(folder)].filter(([path]) => !NOT_DATA.has(path.split('/')[0] ?? '')));
  }

  async function losePower(launched: LaunchedSystem): Promise<void> {
    disk.cutPower();
    launched.process.kill('SIGKILL');
    await launched.ended;
    // Some end by themselves meanwhile.
    spawnSync('kill', ['-KILL', ...processesIn(disk.folder).map(({ pid }) => String(pid))]);
    await disk.comeBack();
  }

  function downgrade(...args: string[]): number | null {
    const env = { ...programEnvironment(), DATA_DIR: data };
    return spawnSync(process.execPath, [programFile('ringdown', 'downgrade'), ...args], { env }).status;
  }

  it('loses nothing that was accepted, and leaves no half copy: the next start goes on', async () => {
    const tries = 3 * faultRepetitions(10);
    for (let n = 0; n < tries; n++) {
      await ledger.storesOn(20);
      await system.stop();
      olderSchema();
      const before = digests(data);
      const upgrading = launch({ ...ports, DATA_DIR: data, UPGRADE_COPY: 'on' });
      // Spread over the copy, the start of the servers, and the first records.
      await sleep((upgradeMs * (n + 0.5) * 1.2) / tries);
      await losePower(upgrading);
      system = await start();
      await load.untilAcknowledged(5);
      const { version, schema, format } = own;
      expect(JSON.parse(readFileSync(join(data, 'data-version.json'), 'utf8'))).toMatchObject({
        version,
        schema,
        format,
      });
      const copies = readdirSync(join(data, 'upgrades'));
      expect(copies).toEqual([expect.stringMatching(/-from-[\d.]+$/)]);
      expect(digests(join(data, 'upgrades', copies[0] ?? '', 'data'))).toEqual(before);
    }
    const outcome = await ledger.outcome();
    reportFault('power cut during the upgrade of `npm start`', tries, load.acknowledged.size, outcome);
    expect(outcome).toEqual(NOTHING_WRONG);
  });

  it('takes back nothing of a downgrade that has ended', async () => {
    await system.stop();
    expect(downgrade()).toBe(0);
    disk.cutPower();
    await disk.comeBack();
    const { heldFor } = JSON.parse(readFileSync(join(data, 'data-version.json'), 'utf8'));
    expect(heldFor).toBe(own.version);
    expect(readdirSync(join(data, 'upgrades'))).toEqual([expect.stringMatching(/-undone$/)]);
    expect(downgrade('--allow-upgrade')).toBe(0);
    system = await start();
  });
});
