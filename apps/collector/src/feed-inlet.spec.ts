import { createLogger, Metrics } from '@ringdown/observability';
import { AnswerCounts } from './answer-counts.js';
import { CollectorMetrics } from './collector-metrics.js';
import { FeedInlet } from './feed-inlet.js';
import { ReaderUnavailable, type ReadingThread } from './reading-thread.js';
import { Refusal, type FeedAnswer } from './refusal.js';

describe('a record that the collector fails to read by its own fault', () => {
  const metrics = new Metrics();
  const collectorMetrics = new CollectorMetrics(metrics);
  let stored = 0;

  function receive(read: ReadingThread['read']): Promise<FeedAnswer> {
    const inlet = new FeedInlet({
      reader: { read },
      publisher: { publishJson: async () => void stored++ },
      metrics: collectorMetrics,
      logger: createLogger('test', { logLevel: 'silent', logFormat: 'json' }),
      counts: new AnswerCounts(),
    });
    return inlet.receive({ body: Buffer.from('<x/>'), receivedAt: 1, recordsUrl: () => undefined });
  }

  afterAll(() => expect(stored).toBe(0));

  it('is answered 503 and counted as lost where nobody can read it now', async () => {
    const refusal = await receive(() => Promise.reject(new ReaderUnavailable('ended'))).catch(
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal instanceof Refusal && refusal.answer()).toMatchObject({
      status: 503,
      headers: { 'retry-after': '2' },
      body: expect.stringContaining('<Code>unavailable</Code>'),
    });
    expect(await metrics.total('collector_unavailable_total')).toBe(1);
  });

  it('is our mistake, with its stack, where reading it fails', async () => {
    const failed = { kind: 'failed', message: 'oh', stack: 'Error: oh\n    at the very place' } as const;
    await expect(receive(async () => failed)).rejects.toMatchObject({ message: 'oh', stack: failed.stack });
  });
});
