import { ethernet, udp, writePcap } from '@ringdown/capture/test/write-pcap.js';
import { RecordingCollector } from '@ringdown/feed-client/test/recording-collector.js';
import { createLogger } from '@ringdown/observability';
import { bucketLimits } from '@ringdown/contracts/bucket-limits';
import { Bus } from '@ringdown/nats';
import { ServiceReports } from '@ringdown/service';
import { eventually } from '@ringdown/testing/eventually';
import { runningProcesses } from '@ringdown/testing/running-processes';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { CaptureReport } from '../src/captures/capture-report.js';
import { CaptureReports } from '../src/captures/capture-reports.js';
import { Captures, type CapturesOptions } from '../src/captures/captures.js';
import { UploadTickets } from '../src/captures/upload-tickets.js';

const logger = createLogger('captures', { logLevel: 'silent', logFormat: 'json' });

const SOURCE = { uploader: 'carol@example.test', frontEnd: 'upload~carol' };

describe('the captures of operators', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-capture-readers-'));
  const started = new Started();
  let nats: TestNats;

  beforeAll(async () => {
    nats = await startNats();
  });
  afterEach(() => started.stopAll());
  afterAll(async () => {
    await nats.stop();
    rmSync(folder, { recursive: true });
  });

  async function connect(): Promise<Bus> {
    const bus = await Bus.connect({
      url: nats.urlOf('aggregator'),
      name: 'aggregator',
      logger,
      limits: bucketLimits(),
    });
    started.add({ stop: () => bus.close() });
    await ServiceReports.ensureBucket(bus);
    return bus;
  }

  /** With a reader that runs this code. */
  async function open(code: string | undefined, more: Partial<CapturesOptions> = {}, to?: Bus): Promise<Captures> {
    const reader = code === undefined ? undefined : join(folder, 'reader.mjs');
    if (reader !== undefined) writeFileSync(reader, code ?? '');
    const limits = { seconds: 20, memoryMb: 64, maxBytes: 1_000, atOnce: 1 };
    const reports = await CaptureReports.open(to ?? (await connect()));
    const own = { reader, collector: 'http://127.0.0.1:1', tickets: new UploadTickets('secret'), logger };
    const captures = new Captures({ ...limits, ...own, ...more }, reports);
    started.add({ stop: () => captures.close() });
    return captures;
  }

  const body = (): Readable => Readable.from([Buffer.from('capture')]);

  async function result(of: Captures): Promise<CaptureReport> {
    const { id } = await of.add(SOURCE, body);
    return eventually('the end', async () => {
      const report = await of.report(id);
      return report.state !== 'reading' && report;
    });
  }

  it.each([
    ['takes too long', 'setInterval(() => 0, 1000);', { seconds: 1 }, 'too-slow', /longer than 1 seconds/],
    ['is killed', "process.kill(process.pid, 'SIGKILL');", {}, 'reader-ended', /ended early \(SIGKILL\)/],
    [
      'needs too much memory',
      'const a = []; for (;;) a.push(new Array(1000).fill(Math.random()));',
      {},
      'reader-ended',
      /64 MB/,
    ],
    [
      'prints no summary',
      "console.log('{'); console.log('x'.repeat(3e6)); process.exit(3);",
      {},
      'reader-ended',
      /exit code 3/,
    ],
    ['does not exist', undefined, { reader: '/no/such/reader.mjs' }, 'reader-ended', /exit code 1/],
    [
      'finds no collector',
      "console.log(JSON.stringify({ records: 0, error: 'no collector answers' }));",
      {},
      'no-collector',
      /^no collector answers$/,
    ],
    [
      'reports rejected records',
      "console.log(JSON.stringify({ records: 3, recordsFailed: 2, problems: 'x' }));",
      {},
      'records-not-accepted',
      /did not accept 2 of 3/,
    ],
  ])('fail with a code and a reason when the reader %s', async (_what, program, more, code, reason) => {
    const report = await result(await open(program, more));
    expect(report).toMatchObject({ state: 'failed', code, reason: expect.stringMatching(reason) });
  });

  it('are read with bounded memory when they decompress to ten gigabytes, and stopped when they are removed', async () => {
    const collector = await RecordingCollector.start();
    started.add(collector);
    const all = await open(undefined, { collector: collector.url, maxBytes: 50_000_000, seconds: 120 });
    const { id } = await all.add(SOURCE, () => Readable.from([bomb()]));
    const report = await eventually('a tenth of a gigabyte', async () => {
      const read = await all.report(id);
      return (read.bytesRead > 100_000_000 || read.state !== 'reading') && read;
    });
    expect(report).toMatchObject({ state: 'reading', records: 0 });
    expect(readersMegabytes()).toBeGreaterThan(0);
    expect(readersMegabytes()).toBeLessThan(300);
    await all.remove(id);
    expect(readersMegabytes()).toBe(0);
  });

  it('show the progress, and are rejected while another is read', async () => {
    const line = JSON.stringify({ progress: { bytes: 5, packets: 3, records: 2 } });
    const all = await open(`console.log('${line}'); setInterval(() => 0, 1000);`);
    const { id } = await all.add(SOURCE, body);
    await eventually('progress', async () => (await all.report(id)).records === 2);
    expect(await all.report(id)).toMatchObject({ state: 'reading', bytesRead: 5, packets: 3, calls: null, size: 7 });
    await expect(all.add(SOURCE, body)).rejects.toMatchObject({ row: { status: 503 }, details: { headers: {} } });
    expect((await all.list())[0]).toEqual(await all.report(id));
    await all.remove(id);
    await expect(all.report(id)).rejects.toThrow('no such capture');
    await eventually('room', async () => (await all.add(SOURCE, body)).state === 'reading');
  });

  it('are known to every replica, which can stop them', async () => {
    const summary = { packets: 9, calls: 2, callIds: ['a', 'b'], records: 4, recordsFailed: 0, problems: [] };
    const first = await open(`console.log('${JSON.stringify(summary)}');`);
    const done = await result(first);
    const other = await open(undefined);
    expect(done).toMatchObject({ ...SOURCE, state: 'done', packets: 9, calls: 2, callIds: ['a', 'b'], code: null });
    await eventually('the result', async () => (await other.report(done.id)).state === 'done');
    expect(await other.report(done.id)).toEqual(done);

    const slow = await open('setInterval(() => 0, 1000);');
    const { id } = await slow.add(SOURCE, body);
    expect((await other.list()).slice(0, 2).map((each) => each.id)).toEqual([id, done.id]);
    await other.remove(id);
    const isFree = (): Promise<boolean> =>
      slow.add(SOURCE, body).then(
        () => true,
        () => false,
      );
    await eventually('its end', isFree);
    await other.remove(done.id);
    await expect(first.report(done.id)).rejects.toThrow('no such capture');
  });

  it('are shown as interrupted when the replica that read them is gone', async () => {
    const bus = await connect();
    const reader = await open('setInterval(() => 0, 1000);', {}, bus);
    const { id } = await reader.add(SOURCE, body);
    await bus.close();
    // Another service may not speak for it.
    const about = { service: 'collector', replica: bus.replica, host: 'other', version: '1.0.0', counts: {} };
    await new ServiceReports(await connect()).publish({ ...about, since: 1, saidAt: 1, partitions: [] });
    const other = await open(undefined);
    expect(await other.report(id)).toMatchObject({ state: 'failed', code: 'interrupted', calls: null });
    expect((await other.list())[0]).toMatchObject({ id, code: 'interrupted' });
    await other.remove(id);
  });

  it('are rejected while the bus is away, and leave no file', async () => {
    const bus = await connect();
    const all = await open('setInterval(() => 0, 1000);', {}, bus);
    await bus.close();
    for (let tries = 0; tries < 2; tries++) await expect(all.add(SOURCE, body)).rejects.toThrow(/clos/i);
  });

  it('leave no files and free their place when the body is too large or cut off', async () => {
    const all = await open("import { readFileSync } from 'node:fs'; readFileSync(process.argv[2]); process.exit(4);");
    const large = (): Readable => Readable.from([Buffer.alloc(600), Buffer.alloc(600)]);
    await expect(all.add(SOURCE, large)).rejects.toMatchObject({ kind: 'too-large' });
    const cutOff = (): Readable => Readable.from(brokenBody());
    await expect(all.add(SOURCE, cutOff)).rejects.toMatchObject({ kind: 'unreadable-body' });
    expect((await result(all)).reason).toContain('exit code 4');
  });

  it('end their readers and delete their files when the service ends', async () => {
    const marker = join(folder, 'started');
    const all = await open(
      `import { writeFileSync } from 'node:fs'; writeFileSync('${marker}', process.argv[2]); setInterval(() => 0, 1000);`,
    );
    await all.add(SOURCE, body);
    await eventually('the reader', () => existsSync(marker));
    await all.close();
    await expect(all.add(SOURCE, body)).rejects.toMatchObject({ row: { status: 503 } });
  });
});

async function* brokenBody(): AsyncGenerator<Buffer> {
  yield Buffer.from('some');
  await Promise.resolve();
  throw new Error('reset');
}

/** A valid capture of 640 times 280 packets of 60 KB, compressed to 16 MB. */
function bomb(): Buffer {
  const bytes = ethernet(udp({ ip: '192.0.2.1', port: 9 }, { ip: '192.0.2.2', port: 9 }, Buffer.alloc(60_000)));
  const whole = writePcap(
    1,
    Array.from({ length: 280 }, () => ({ at: 0, bytes })),
  );
  const packets = gzipSync(whole.subarray(24));
  return Buffer.concat([gzipSync(whole.subarray(0, 24)), ...Array<Buffer>(640).fill(packets)]);
}

/** The most memory that the reader of a capture of this process has had. */
function readersMegabytes(): number {
  const readers = runningProcesses().filter(({ command }) => command.includes(`ringdown-captures-${process.pid}-`));
  return Math.max(0, ...readers.map(({ pid }) => mostMegabytes(pid)));
}

function mostMegabytes(pid: number): number {
  try {
    return Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
  } catch {
    // It ended in the meantime.
    return 0;
  }
}
