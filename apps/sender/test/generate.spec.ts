import { eventually } from '@ringdown/testing/eventually';
import { defaultProfile } from '@ringdown/vendor-profile';
import { collectorAddress } from '@ringdown/feed-client';
import { noProgress } from '../src/generate/play-progress.js';
import type { FeedSummary } from '@ringdown/feed-client/command';
import { generate, type GenerateOptions } from '../src/generate/generate.js';
import { version } from '../src/usage.js';
import { sender, startSender } from './programs.js';
import { RecordingCollector, xml } from '@ringdown/feed-client/test/recording-collector.js';

function count(records: readonly { readonly body: string }[], pattern: RegExp): number {
  return records.filter(({ body }) => pattern.test(body)).length;
}

describe('ringdown-sender', () => {
  it.each([
    [['dance'], 'unknown command "dance"; commands: run, generate, replay, status', ''],
    [['generate', '--seed', 'x'], '--seed must be a whole number from 0 to 4294967295, not "x"', 'generate '],
  ])('exits with 2 for %j', async (args, message, command) => {
    const { exitCode, stderr } = await sender(args);
    expect([exitCode, stderr]).toEqual([2, `ringdown-sender: ${message}\nsee ringdown-sender ${command}--help\n`]);
  });

  it('prints its version', async () => {
    expect(await sender(['--version'])).toMatchObject({ exitCode: 0, stdout: `${version()}\n` });
  });
});

describe('ringdown-sender generate', () => {
  let collector: RecordingCollector;

  beforeEach(async () => {
    collector = await RecordingCollector.start();
  });

  afterEach(() => collector.stop());

  function send(more: Partial<GenerateOptions>): Promise<FeedSummary> {
    return generate({
      address: collectorAddress(collector.url, defaultProfile),
      profile: defaultProfile,
      resumeAfterMs: 0,
      calls: 40,
      rate: 0,
      seed: 1,
      frontEnds: 1,
      loss: 0,
      duplicates: 0,
      reordered: 0,
      signal: new AbortController().signal,
      progress: noProgress,
      endsAt: 1_760_000_000_000,
      ...more,
    });
  }

  it('sends the requested number of calls from the requested number of front ends', async () => {
    const args = ['--calls', '150', '--front-ends', '3', '--seed', '7', '--rate', '0', '--json'];
    const { exitCode, stdout } = await sender(['generate', '--to', collector.url, ...args]);
    const { records } = collector;
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^\{.*\}\n$/);
    expect(JSON.parse(stdout)).toMatchObject({ calls: 150, frontEnds: 3, records: records.length, recordsFailed: 0 });
    const inBodies = (pattern: RegExp): number => new Set(records.map(({ body }) => pattern.exec(body)?.[1])).size;
    expect(inBodies(/<CallId>(\w+)</)).toBe(150);
    expect(inBodies(/<FrontEnd>([\w.]+)</)).toBe(3);
  });

  it('posts the records that are due together to a collector that reads batches, those of each front end in order', async () => {
    collector.acceptBatches(5);
    const { recordsAnswered, recordsFailed } = await send({ frontEnds: 2 });
    const posts = collector.records.map(({ body }) => body.split('\n'));
    const sent = posts.flat();
    expect({ recordsAnswered, recordsFailed }).toEqual({ recordsAnswered: sent.length, recordsFailed: 0 });
    expect(Math.max(...posts.map(({ length }) => length))).toBe(5);
    expect(posts.length).toBeLessThan(sent.length / 4);
    for (const records of Map.groupBy(sent, (body) => /<FrontEnd>([\w.]+)</.exec(body)?.[1]).values()) {
      const numbered = records.map((body) => Number(/<CSEQ>(\d+)</.exec(body)?.[1])).filter((cseq) => cseq > 0);
      expect(numbered).toEqual(numbered.toSorted((a, b) => a - b));
    }
  });

  it('sends the same kinds of calls for the same seed, and others for another', async () => {
    const kinds = async (seed: number): Promise<string> => {
      const before = collector.records.length;
      await send({ seed });
      return collector.records
        .slice(before)
        .map(({ body }) => /<\/ConnectionInfo><(\w+)/.exec(body)?.[1])
        .join(' ');
    };
    const first = await kinds(1);
    expect(await kinds(1)).toBe(first);
    expect(await kinds(2)).not.toBe(first);
  });

  it('keeps its rate', async () => {
    const { seconds } = await send({ calls: 20, rate: 40 });
    expect(seconds).toBeGreaterThanOrEqual(0.4);
  });

  it('withholds and repeats records as requested, and reports how many it withheld', async () => {
    const { recordsWithheld } = await send({ loss: 0.5 });
    const kept = collector.records.length;
    expect((await send({})).recordsWithheld).toBe(0);
    const all = collector.records.length - kept;
    expect(kept).toBeLessThan(all * 0.7);
    expect(recordsWithheld).toBe(all - kept);
    await send({ duplicates: 1, reordered: 0.5 });
    expect(collector.records.length - kept - all).toBe(2 * all);
    expect(count(collector.records, /<StartOrUpdate/)).toBeGreaterThan(0);
  });

  it('exits with 130 when it is interrupted, and reports what it has sent', async () => {
    const args = ['--calls', '1000', '--front-ends', '1', '--rate', '5', '--json'];
    const program = startSender(['generate', '--to', collector.url, ...args]);
    await eventually('some records', () => collector.records.length >= 5);
    program.kill('SIGINT');
    const { exitCode, stdout } = await program.ended;
    expect(exitCode).toBe(130);
    const summary: unknown = JSON.parse(stdout);
    const reported = new Set(collector.records.map(({ body }) => /<CallId>(\w+)</.exec(body)?.[1])).size;
    expect(summary).toMatchObject({ calls: reported, records: collector.records.length, interrupted: true });
    expect(reported).toBeGreaterThan(0);
  });

  it.each([
    ['records', { records: 1, recordsFailed: 1, recordsLost: 1 }],
    ['anything', { records: 0, recordsFailed: 0 }],
  ])(
    'reports what it has sent when it is interrupted while the collector does not answer %s',
    async (what, expected) => {
      collector.answer = () => undefined;
      collector.isSilent = what === 'anything';
      const program = startSender(['generate', '--to', collector.url, '--front-ends', '1', '--rate', '0', '--json']);
      const first = what === 'anything' ? 1 : 2;
      await eventually('a request', () => collector.received.length === first);
      program.kill('SIGINT');
      const { exitCode, stdout } = await program.ended;
      expect(JSON.parse(stdout)).toMatchObject({ ...expected, interrupted: true });
      expect(exitCode).toBe(130);
    },
  );

  it('counts records that are not answered with 200', async () => {
    collector.answer = (response, number) => xml(response, number % 2 ? 503 : 200, '<Count>1</Count>');
    const { records, recordsFailed, recordsNotTaken } = await send({});
    expect(recordsNotTaken).toBe(Math.floor(records / 2));
    expect(recordsFailed).toBe(recordsNotTaken);
  });
});
