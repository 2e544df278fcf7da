import { PARTITIONS, recordsSubject } from '@ringdown/contracts/records';
import type { DeadLetter } from '@ringdown/contracts/set-aside';
import { DeadLetters } from '@ringdown/feed-bus';
import { eventually } from '@ringdown/testing/eventually';
import { programEnvironment } from '@ringdown/testing/program-environment';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Database } from '../src/store/database/database.js';
import { Surroundings } from './aggregator-under-test.js';
import { callIdIn, published, startXml } from './feed-examples.js';
import { poisonedFold, startReading } from './feed-reading.js';
import { recordsByCall } from './stored-records.js';

const READING_PROCESS = fileURLToPath(new URL('reading-process.js', import.meta.url));
const LIMIT_MS = 150;

describe('a record that its reader cannot get past', () => {
  let around: Surroundings;
  let database: Database;
  let letters: DeadLetters;
  const readers: { stop: () => Promise<void> }[] = [];

  beforeAll(async () => {
    around = await Surroundings.start();
    database = new Database({ url: around.database.url, poolSize: 2, logger: quietLogger() });
    letters = new DeadLetters(around.bus);
    const reader = await startReader();
    // Streams and tables exist now: what is published from here on waits for the next reader.
    await eventually('tables', async () => (await stored('none')) === 0);
    await reader.stop();
    readers.splice(0);
  });
  afterEach(async () => {
    await Promise.all(readers.splice(0).map((reader) => reader.stop()));
    for await (const { number } of letters.all()) await letters.delete(number);
  });
  afterAll(async () => {
    await database.close();
    await around.stop();
  });

  async function startReader(): Promise<Awaited<ReturnType<typeof startReading>>> {
    const { nats, database: server } = around;
    const options = { natsUrl: nats.url, databaseUrl: server.url, limitMs: LIMIT_MS, foldCall: poisonedFold };
    const reader = await startReading(options);
    readers.push(reader);
    return reader;
  }

  /** How many records the database has of a call. */
  async function stored(callId: string): Promise<number | undefined> {
    const query = async (sql: string): Promise<readonly unknown[]> =>
      (await database.read((transaction) => transaction.query<Record<string, unknown>>(sql))).rows;
    const counts = await recordsByCall(query).catch(() => undefined);
    return counts && (counts.get(callId.toLowerCase()) ?? 0);
  }

  async function has(callId: string, records = 1): Promise<void> {
    await eventually(`${records} record(s) of ${callId}`, async () => (await stored(callId)) === records);
  }

  async function kept(atLeast: number): Promise<readonly DeadLetter[]> {
    return eventually(`${atLeast} dead letter(s)`, async () => {
      const found: DeadLetter[] = [];
      for await (const { letter } of letters.all()) found.push(letter);
      return found.length >= atLeast && found;
    });
  }

  /** All of them in one message, as a busy collector packs them. */
  async function publishTogether(partition: number, callIds: readonly string[]): Promise<void> {
    const records = callIds.map((callId, n) => published(startXml({ callId, cseq: n })));
    const body = JSON.stringify({ v: 1, records });
    await around.bus.js.publish(recordsSubject(partition), body, { msgID: randomUUID() });
  }

  function callIdOf({ content }: DeadLetter): string {
    return String(Object(Object(Object(content).record).connection).callId);
  }

  it.each([
    ['does not return from a loop', 2, 'frozen', 'slow-record', 'the time limit of 150 ms was exceeded'],
    ['does not return from an expression', 3, 'exponential', 'slow-record', 'the time limit of 150 ms was exceeded'],
    ['throws', 4, 'thrower', 'unstorable-record', 'this call is not to be folded'],
  ])('is set aside when the fold %s; other records become calls', async (_what, partition, prefix, code, reason) => {
    const poison = callIdIn(partition, prefix);
    // Already there at the start, at the head of the backlog, with others in its message and after it.
    await publishTogether(partition, [poison, callIdIn(partition, 'beside')]);
    await publishTogether(partition, [callIdIn(partition, 'behind')]);
    const { metrics } = await startReader();
    await has(callIdIn(partition, 'beside'));
    await has(callIdIn(partition, 'behind'));
    const [letter, ...more] = await kept(1);
    expect(more).toEqual([]);
    expect(letter).toMatchObject({ code, reason, partition });
    expect(letter && callIdOf(letter)).toBe(poison);
    expect(await stored(poison)).toBe(0);
    expect(await metrics.total('aggregator_records_total', { outcome: 'set_aside' })).toBe(1);
  });

  it('does not keep other records of its own call from counting', async () => {
    const callId = callIdIn(5, 'second-frozen');
    const records = [1, 2, 3].map((cseq) => published(startXml({ callId, cseq })));
    const body = JSON.stringify({ v: 1, records });
    await around.bus.js.publish(recordsSubject(5), body, { msgID: randomUUID() });
    await startReader();
    await has(callId, 2);
    expect((await kept(1)).map(({ code }) => code)).toEqual(['slow-record']);
  });

  it('is found in every partition by two concurrent readers', async () => {
    const partitions = Array.from({ length: PARTITIONS }, (_, partition) => partition);
    for (const partition of partitions) {
      await publishTogether(partition, [callIdIn(partition, 'frozen-too'), callIdIn(partition, 'good')]);
    }
    await Promise.all([startReader(), startReader()]);
    for (const partition of partitions) await has(callIdIn(partition, 'good'));
    const found = await kept(PARTITIONS);
    expect(new Set(found.map(({ code }) => code))).toEqual(new Set(['slow-record']));
    expect(new Set(found.map(({ partition }) => partition))).toEqual(new Set(partitions));
    // Later records are read as usual.
    for (const partition of partitions) await publishTogether(partition, [callIdIn(partition, 'later')]);
    for (const partition of partitions) await has(callIdIn(partition, 'later'));
  });

  it('is not searched for after several orderly ends of readers at one position', async () => {
    await publishTogether(1, [callIdIn(1, 'first')]);
    for (let n = 0; n < 5; n++) {
      const reader = await startReader();
      await has(callIdIn(1, 'first'));
      await reader.stop();
      readers.splice(0);
    }
    const query = 'select count(*)::integer as total from reading_attempts';
    const { rows } = await database.read((transaction) => transaction.query<{ total: number }>(query));
    expect(rows).toEqual([{ total: 0 }]);
  });

  /** Reads in a separate process until that process ends or has read the call; returns whether it has read the call. */
  async function readsInProcess(callId: string): Promise<boolean> {
    const env = {
      ...programEnvironment(),
      NATS_URL: around.nats.url,
      DATABASE_URL: around.database.url,
    };
    const child = spawn(process.execPath, ['--max-old-space-size=128', READING_PROCESS], { env, stdio: 'ignore' });
    const ended = once(child, 'exit').then(() => false);
    const read = async (): Promise<boolean> => {
      while (child.exitCode === null && child.signalCode === null && (await stored(callId)) !== 1)
        await new Promise((resolve) => setTimeout(resolve, 50));
      return (await stored(callId)) === 1;
    };
    const done = await Promise.race([ended, read()]);
    child.kill('SIGKILL');
    await ended;
    return done;
  }

  it('is set aside after a few starts when it uses up the memory of its process', async () => {
    const [poison, behind] = [callIdIn(6, 'hungry'), callIdIn(6, 'behind')];
    await publishTogether(6, [callIdIn(6, 'before'), poison, callIdIn(6, 'beside')]);
    await publishTogether(6, [behind]);
    let starts = 1;
    while (!(await readsInProcess(behind))) starts++;
    expect(starts).toBe(5);
    expect((await kept(1)).map((letter) => [letter.code, callIdOf(letter)])).toEqual([['fatal-record', poison]]);
    for (const prefix of ['before', 'beside', 'behind']) expect(await stored(callIdIn(6, prefix))).toBe(1);
  });
});
