import { jest } from '@jest/globals';
import { RECORDS_STREAM } from '@ringdown/contracts/records';
import { RecordPublisher } from '@ringdown/feed-bus';
import { Bus } from '@ringdown/nats';
import { Bucket } from '@ringdown/nats/buckets';
import { findNatsServer, freePort, listening } from '@ringdown/testing/embedded-servers';
import { eventually } from '@ringdown/testing/eventually';
import { startNats } from '@ringdown/testing/servers/nats';
import { PostgresServer } from '@ringdown/testing/servers/postgres-server';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../src/store/database/database.js';
import { RunningAggregator } from './aggregator-under-test.js';
import { BackupProcess } from './backup-process.js';
import { published, startXml } from './feed-examples.js';
import { recordsByCall } from './stored-records.js';

jest.setTimeout(120_000);

const [READ, WAITING] = [30, 50];
const PEOPLE = { name: 'PEOPLE', maxAgeMs: 0, parse: Object };

/** "Accounts of the bus" in docs/guides/upgrade-notes.md, with a bus whose streams were made without accounts. */
describe('a backup of a bus without accounts', () => {
  const started = new Started();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-into-accounts-'));

  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  /** As all services used it before: every stream is in the one account of all users. Returns its URL. */
  async function busWithoutAccounts(): Promise<string> {
    const port = await freePort();
    const config = join(folder, 'nats.conf');
    const lines = [`listen: "127.0.0.1:${port}"`, `jetstream { store_dir: ${JSON.stringify(folder)} }`];
    writeFileSync(config, lines.join('\n'));
    const server = spawn((await findNatsServer())?.command ?? '', ['--config', config], { stdio: 'ignore' });
    started.add({
      stop: async () => {
        const ended = once(server, 'exit');
        server.kill();
        await ended;
      },
    });
    await listening(port);
    return `nats://127.0.0.1:${port}`;
  }

  it('is restored to accounts with sequences, people and what was waiting: 0 lost, 0 doubled', async () => {
    const url = await busWithoutAccounts();
    const database = started.add(await PostgresServer.start());
    const bus = await open(url);
    const before = started.add(await RunningAggregator.start(url, database.url));
    await publish(bus, 'read', READ);
    await eventually('the first calls', async () => (await callsIn(database.url)).length === READ);
    await before.stop();
    await publish(bus, 'waiting', WAITING);
    const people = await Bucket.open({ bus, ...PEOPLE });
    await people.put('alice', { name: 'Alice' });
    const { state } = await bus.jsm.streams.info(RECORDS_STREAM);
    const copy = join(folder, 'backup');
    const made = await BackupProcess.run({ bus: { urlOf: () => url }, database }, 'backup', copy);
    expect(made).toMatchObject({ code: 0, err: '' });

    const nats = started.add(await startNats());
    const restored = await BackupProcess.run({ bus: nats, database }, 'restore', copy, '--replace');
    expect(restored).toMatchObject({ code: 0, err: '' });
    const feed = await open(nats.url);
    expect((await feed.jsm.streams.info(RECORDS_STREAM)).state).toEqual(state);
    const discovery = await open(nats.urlOf('discovery-auth'));
    const kept = await (await Bucket.open({ bus: discovery, ...PEOPLE, role: 'user' })).get('alice');
    expect(kept).toMatchObject({ value: { name: 'Alice' }, revision: 1 });
    started.add(await RunningAggregator.start(nats.urlOf('aggregator'), database.url));
    await publish(feed, 'after', READ);
    await eventually('all calls', async () => (await callsIn(database.url)).length >= 2 * READ + WAITING);
    const calls = [...names('read', READ), ...names('waiting', WAITING), ...names('after', READ)];
    // One record for each call: what was read twice would be two.
    expect(await callsIn(database.url)).toEqual(calls.map((call) => `${call}: 1`).toSorted());
  });

  async function open(url: string): Promise<Bus> {
    const bus = await Bus.connect({ url, name: 'test', logger: quietLogger() });
    started.add({ stop: () => bus.close() });
    return bus;
  }
});

function names(prefix: string, number: number): readonly string[] {
  return Array.from({ length: number }, (_, n) => `${prefix}-${n}`);
}

async function publish(bus: Bus, prefix: string, number: number): Promise<void> {
  const publisher = new RecordPublisher({ bus, deadlineMs: 60_000 });
  for (const callId of names(prefix, number)) await publisher.publish(published(startXml({ callId })));
}

/** Every call with the number of its records. */
async function callsIn(url: string): Promise<readonly string[]> {
  const database = new Database({ url, poolSize: 1, logger: quietLogger() });
  try {
    return await database.read(async (transaction) => {
      // Not before the first aggregator has made them.
      const { rows: tables } = await transaction.query("select from pg_tables where tablename = 'calls'");
      if (tables.length === 0) return [];
      const query = async (sql: string): Promise<readonly unknown[]> =>
        (await transaction.query<Record<string, unknown>>(sql)).rows;
      return [...(await recordsByCall(query))].map(([call, records]) => `${call}: ${records}`).toSorted();
    });
  } finally {
    await database.close();
  }
}
