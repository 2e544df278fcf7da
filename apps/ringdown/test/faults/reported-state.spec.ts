import { reportFault } from '@ringdown/aggregator/test/faults/report.js';
import { runSql } from '@ringdown/aggregator/test/run-sql.js';
import { eventually } from '@ringdown/testing/eventually';
import { freePorts, launch, type LaunchedSystem, logged, running } from '@ringdown/testing/launched-system';
import { PostgresServer } from '@ringdown/testing/servers/postgres-server';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunningFile } from '../../src/running-system.js';
import { readSystemStatus, type Status } from '../../src/status.js';

const TOO_OLD = 'this program is too old for the database: the schema has version 9999, the program supports ';

interface Readiness {
  readonly ready: boolean;
  readonly parts: Readonly<Record<string, string>>;
  readonly limited: readonly string[];
}

const NONE_UNREPORTED = { lost: [], double: [], foreign: [] };

describe('a system whose database', () => {
  const started = new Started();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-state-'));
  let server: PostgresServer;

  beforeAll(async () => {
    server = started.add(await PostgresServer.start());
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(): Promise<LaunchedSystem> {
    const system = launch({ ...(await freePorts()), DATA_DIR: folder, DATABASE_URL: server.url });
    started.add(system);
    return system;
  }

  async function readiness(): Promise<Readiness> {
    const inner = new RunningFile(folder).read()?.inner ?? '';
    return JSON.parse(await (await fetch(`${inner}/health/ready`)).text());
  }

  async function metric(name: string): Promise<string | undefined> {
    const inner = new RunningFile(folder).read()?.inner ?? '';
    const text = await (await fetch(`${inner}/metrics`)).text();
    return text.split('\n').find((line) => line.startsWith(`${name} `));
  }

  it('knows of lost records reports them in status, readiness and metrics alike', async () => {
    const system = await start();
    await running(system);
    expect(await readSystemStatus(folder)).toMatchObject({ code: 0 });
    // A collector that has accepted 211 records, none of which is on the bus.
    await runSql(server.url, `insert into collector_accepted (partition, collector, records) values (3, 'gone', 211)`);
    const status = await eventually('the loss', async () => {
      const now = await readSystemStatus(folder);
      return now.code === 1 && now;
    });
    expect(status.lines[0]).toMatch(/^Ringdown is running and ready, and the bus has LOST records: process/);
    const loss = 'within a day, at least: 211 accepted records were lost by the bus before they were read';
    expect(status.lines).toContainEqual(expect.stringMatching(new RegExp(`^ {2}losses +${loss}$`)));
    expect(status.lines).toContain('       211 accepted records that the bus lost before they were read');
    expect(await readiness()).toMatchObject({ ready: true, parts: { losses: loss }, limited: ['losses'] });
    expect(await metric('ringdown_aggregator_missing_records')).toBe('ringdown_aggregator_missing_records 211');
    reportFault('records that the bus lost: the same number in status, readiness and metrics', 1, 211, NONE_UNREPORTED);
    await system.stop();
  });

  it('is too new names that in status, readiness and output, before it is called running', async () => {
    await runSql(server.url, 'insert into schema_versions (version) values (9999)');
    const system = await start();
    const named = ({ lines }: Status): boolean => lines.some((line) => line.includes(TOO_OLD));
    const early = await eventually('the reason in the status', async () => {
      const now = await readSystemStatus(folder);
      return named(now) && now;
    });
    expect(system.stdout()).not.toContain('Ringdown is running');
    expect([early.code, early.lines[0]]).toEqual([1, expect.stringMatching(/^Ringdown is starting: process/)]);
    const { ready, parts } = await readiness();
    expect([ready, parts['database schema']]).toEqual([false, expect.stringContaining(TOO_OLD)]);
    await running(system);
    await logged(system, /ringdown: NOT ready:\nringdown: {3}database schema +this program is too old/);
    expect((await readSystemStatus(folder)).lines[0]).toMatch(/^Ringdown is running and NOT ready: process/);
    reportFault('database that is too new: named before the system is called running', 1, 0, NONE_UNREPORTED);
    await system.stop();
  });
});
