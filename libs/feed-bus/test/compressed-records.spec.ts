import { CALL_CHANGES_STREAM, CALLS_CHANGED_SUBJECT } from '@ringdown/contracts/calls';
import { RECORDS_STREAM, recordsSubject } from '@ringdown/contracts/records';
import { Bus } from '@ringdown/nats';
import { isRecognised, messageMark, type StreamPosition } from '@ringdown/nats/reading';
import { createSnapshot, ensureStream, restoreSnapshot, streamEpoch } from '@ringdown/nats/streams';
import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureCallChangesStream, ensureFeedStreams } from '../src/doors/streams.js';

/** A block of the server is a quarter of this: 46 messages of this test. */
const RECORDS_MAX_BYTES = 16 * 1024 * 1024;
const SETTINGS = { recordsMaxAgeHours: 1, recordsMaxBytes: RECORDS_MAX_BYTES };
const MESSAGES = 60;
/** As the records of one kind of sender, whose names and texts are the same again and again. */
const BODY = Buffer.from('<CallId>0123456789</CallId><From>sip:user@example.test</From>'.repeat(1_500));

describe('the stream of records, compressed by the server', () => {
  let folder: string;
  let nats: TestNats;
  let bus: Bus;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-compressed-'));
    nats = await startNats({ folder });
    bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
  });
  afterEach(async () => {
    await bus.close();
    await nats.stop();
  });

  /** As an aggregator of a version before this one makes or finds the stream. */
  async function ensureAsBefore(): Promise<void> {
    const subjects = [recordsSubject(0).replace(/0$/, '*')];
    await ensureStream(bus, { name: RECORDS_STREAM, subjects, maxAgeMs: 3_600_000, max_bytes: RECORDS_MAX_BYTES });
  }

  async function publish(messages: number): Promise<void> {
    for (let n = 0; n < messages; n++) await bus.js.publish(recordsSubject(n % 8), BODY);
  }

  /** Of the message that was stored last. */
  async function newestPosition(): Promise<StreamPosition> {
    const stream = await bus.jsm.streams.info(RECORDS_STREAM);
    const consumer = await bus.js.consumers.get(RECORDS_STREAM, { deliver_policy: 'last' });
    const message = await consumer.next();
    if (message === null) throw new Error('the stream is empty');
    return { epoch: streamEpoch(stream), sequence: message.seq, message: messageMark(message) };
  }

  async function restart(): Promise<void> {
    await nats.kill();
    await eventually('the loss to be noticed', () => !isConnected());
    await nats.restart();
    await eventually('the bus to be back', () => isConnected());
  }

  function isConnected(): boolean {
    try {
      bus.assertConnected();
      return true;
    } catch {
      return false;
    }
  }

  async function expectRecognised(position: StreamPosition): Promise<void> {
    expect(await isRecognised(bus, await bus.jsm.streams.info(RECORDS_STREAM), position)).toBe(true);
  }

  async function expectAllReadable(messages: number): Promise<void> {
    const consumer = await bus.js.consumers.get(RECORDS_STREAM, { deliver_policy: 'all' });
    for (let n = 0; n < messages; n++) expect((await consumer.next())?.data).toHaveLength(BODY.length);
  }

  function bytesOnDisk(stream = RECORDS_STREAM): number {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const blocks = files.filter((file) => file.includes(`/${stream}/`) && file.endsWith('.blk'));
    return blocks.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
  }

  it('goes on with the messages of before, whose positions are recognised', async () => {
    await ensureAsBefore();
    await publish(MESSAGES / 2);
    const before = await newestPosition();
    await ensureFeedStreams(bus, SETTINGS);
    expect((await bus.jsm.streams.info(RECORDS_STREAM)).config.compression).toBe('s2');
    await publish(MESSAGES / 2);
    const after = await newestPosition();
    await expectRecognised(before);
    await restart();
    await ensureFeedStreams(bus, SETTINGS);
    await expectRecognised(before);
    await expectRecognised(after);
    // The server compresses no block of a stream of before until it has started again.
    expect(bytesOnDisk()).toBeGreaterThan(MESSAGES * BODY.length);
    await publish(MESSAGES);
    await eventually('the next block is compressed', () => bytesOnDisk() < 0.7 * 2 * MESSAGES * BODY.length);
    await expectAllReadable(2 * MESSAGES);
  });

  it('takes a fraction of the disk', async () => {
    await ensureFeedStreams(bus, SETTINGS);
    await publish(MESSAGES);
    // The last block is written as it comes, and may have a quarter of the limit.
    await eventually('the blocks are compressed', () => bytesOnDisk() < 0.4 * MESSAGES * BODY.length);
    expect((await bus.jsm.streams.info(RECORDS_STREAM)).state.bytes).toBeGreaterThan(MESSAGES * BODY.length);
  });

  it('is not the only one: changed calls are stored again and again', async () => {
    await ensureCallChangesStream(bus);
    for (let n = 0; n < 3 * MESSAGES; n++) await bus.js.publish(CALLS_CHANGED_SUBJECT, BODY);
    const isSmall = (): boolean => bytesOnDisk(CALL_CHANGES_STREAM) < 0.7 * 3 * MESSAGES * BODY.length;
    expect(await eventually('the blocks are compressed', isSmall)).toBe(true);
  });

  it('stays compressed beside an aggregator of an older version', async () => {
    await ensureFeedStreams(bus, SETTINGS);
    await ensureAsBefore();
    expect((await bus.jsm.streams.info(RECORDS_STREAM)).config.compression).toBe('s2');
  });

  it('is restored from a backup with its messages and positions', async () => {
    await ensureFeedStreams(bus, SETTINGS);
    await publish(MESSAGES);
    const newest = await newestPosition();
    await eventually('the blocks are compressed', () => bytesOnDisk() < 0.4 * MESSAGES * BODY.length);
    const pieces: Uint8Array[] = [];
    const head = await createSnapshot(bus, RECORDS_STREAM, async (piece) => void pieces.push(Uint8Array.from(piece)));
    if (head === undefined) throw new Error('the stream was not found');
    await bus.jsm.streams.delete(RECORDS_STREAM);
    await restoreSnapshot(
      bus,
      head,
      (async function* () {
        yield* pieces;
      })(),
    );
    expect((await bus.jsm.streams.info(RECORDS_STREAM)).config.compression).toBe('s2');
    await expectRecognised(newest);
    await expectAllReadable(MESSAGES);
    await restart();
    await expectRecognised(newest);
  });
});
