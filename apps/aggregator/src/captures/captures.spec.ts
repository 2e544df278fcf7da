import { createLogger } from '@ringdown/observability';
import { eventually } from '@ringdown/testing';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Captures, type CaptureReport, type CapturesOptions } from './captures.js';

const logger = createLogger('captures', { logLevel: 'silent', logFormat: 'json' });

describe('the captures of operators', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-capture-readers-'));
  let captures: Captures | undefined;

  afterEach(() => captures?.close());
  afterAll(() => rmSync(folder, { recursive: true }));

  /** With a reader that runs this code. */
  function open(code: string | undefined, more: Partial<CapturesOptions> = {}): Captures {
    const reader = code === undefined ? undefined : join(folder, 'reader.mjs');
    if (reader !== undefined) writeFileSync(reader, code ?? '');
    const limits = { seconds: 20, memoryMb: 64, maxBytes: 1_000, atOnce: 1 };
    captures = new Captures({ ...limits, reader, collector: 'http://127.0.0.1:1', logger, ...more });
    return captures;
  }

  const body = (): Readable => Readable.from([Buffer.from('capture')]);

  async function result(of: Captures): Promise<CaptureReport> {
    const { id } = await of.add('fe1', body);
    return eventually('the end', () => of.report(id).state !== 'reading' && of.report(id));
  }

  it.each([
    ['takes too long', 'setInterval(() => 0, 1000);', { seconds: 1 }, /longer than 1 seconds/],
    ['is killed', "process.kill(process.pid, 'SIGKILL');", {}, /ended early \(SIGKILL\)/],
    ['needs too much memory', 'const a = []; for (;;) a.push(new Array(1000).fill(Math.random()));', {}, /64 MB/],
    ['prints no summary', "console.log('{'); console.log('x'.repeat(3e6)); process.exit(3);", {}, /exit code 3/],
    ['does not exist', undefined, { reader: '/no/such/reader.mjs' }, /exit code 1/],
    [
      'finds no collector',
      "console.log(JSON.stringify({ records: 0, error: 'no collector answers' }));",
      {},
      /^no collector answers$/,
    ],
    [
      'reports rejected records',
      "console.log(JSON.stringify({ records: 3, recordsFailed: 2, problems: 'x' }));",
      {},
      /did not accept 2 of 3/,
    ],
  ])('fail with a reason when the reader %s', async (_what, code, more, reason) => {
    const report = await result(open(code, more));
    expect([report.state, report.reason]).toEqual(['failed', expect.stringMatching(reason)]);
  });

  it('show the progress, and are rejected while another is read', async () => {
    const line = JSON.stringify({ progress: { bytes: 5, total: 9, records: 2 } });
    const all = open(`console.log('${line}'); setInterval(() => 0, 1000);`);
    const { id } = await all.add('fe1', body);
    await eventually('progress', () => all.report(id).records === 2);
    expect(all.report(id)).toMatchObject({ state: 'reading', bytesRead: 5, calls: null, size: 7 });
    await expect(all.add('fe1', body)).rejects.toMatchObject({ row: { status: 503 }, details: { headers: {} } });
    expect(all.list()).toEqual([all.report(id)]);
    await all.remove(id);
    expect(() => all.report(id)).toThrow('no such capture');
    await eventually('room', async () => (await all.add('fe1', body)).state === 'reading');
  });

  it('leave no files and free their place when the body is too large or cut off', async () => {
    const all = open("import { readFileSync } from 'node:fs'; readFileSync(process.argv[2]); process.exit(4);");
    const large = (): Readable => Readable.from([Buffer.alloc(600), Buffer.alloc(600)]);
    await expect(all.add('fe1', large)).rejects.toMatchObject({ kind: 'too-large' });
    const cutOff = (): Readable => Readable.from(brokenBody());
    await expect(all.add('fe1', cutOff)).rejects.toMatchObject({ kind: 'unreadable-body' });
    expect((await result(all)).reason).toContain('exit code 4');
  });

  it('end their readers and delete their files when the service ends', async () => {
    const marker = join(folder, 'started');
    const all = open(
      `import { writeFileSync } from 'node:fs'; writeFileSync('${marker}', process.argv[2]); setInterval(() => 0, 1000);`,
    );
    await all.add('fe1', body);
    await eventually('the reader', () => existsSync(marker));
    await all.close();
    await expect(all.add('fe1', body)).rejects.toMatchObject({ row: { status: 503 } });
  });
});

async function* brokenBody(): AsyncGenerator<Buffer> {
  yield Buffer.from('some');
  await Promise.resolve();
  throw new Error('reset');
}
