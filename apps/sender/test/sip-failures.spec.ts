import { request, response } from '@ringdown/call-capture/test/sip-messages.js';
import { writeHep } from '@ringdown/capture/test/write-hep.js';
import { RecordingCollector, xml } from '@ringdown/feed-client/test/recording-collector.js';
import { Metrics } from '@ringdown/observability';
import { eventually } from '@ringdown/testing/eventually';
import { Started } from '@ringdown/testing/started';
import { createSocket } from 'node:dgram';
import type { RunningSender } from '../src/run/running-sender.js';
import { startSender } from './start-sender.js';

interface Report {
  readonly id: string;
  readonly failures: readonly { readonly method: string; readonly status: string; readonly count: number }[];
}

const OURS = '<Configuration Version="1.0" AcceptedReports="SipFailures"/>';

describe('a sender that sees failed requests outside of calls', () => {
  const started = new Started();
  let collector: RecordingCollector;
  let metrics: Metrics;
  /** The status for reports; undefined: no answer. */
  let status: number | undefined;

  beforeEach(async () => {
    metrics = new Metrics();
    status = 200;
    collector = started.add(await RecordingCollector.start());
    collector.configuration = OURS;
    collector.answer = (reply, count) => {
      const { path } = collector.received.at(-1) ?? { path: '' };
      if (!path.endsWith('/SipFailures')) return xml(reply, 200, `<Response><Count>${count}</Count></Response>`);
      if (status !== undefined) xml(reply, status, '<Response/>');
    };
  });
  afterEach(() => started.stopAll());

  async function start(failureReportMs = 1): Promise<Pick<RunningSender, 'port' | 'stop'>> {
    const sender = await startSender(collector.url, { metrics, failureReportMs, timeoutMs: 2_000 });
    let stopped: Promise<void> | undefined;
    // Some tests stop it before the end.
    return started.add({ port: sender.port, stop: () => (stopped ??= sender.stop()) });
  }

  /** A REGISTER from each of these Call-IDs that is rejected. */
  async function fail(sender: Pick<RunningSender, 'port'>, ...callIds: readonly string[]): Promise<void> {
    const socket = createSocket('udp4');
    const packets = callIds.flatMap((callId) => [
      request('REGISTER', { callId }),
      response('403 Forbidden', 'REGISTER', { callId }),
    ]);
    for (const payload of packets)
      await new Promise((resolve) => socket.send(writeHep({ payload }), sender.port, '127.0.0.1', resolve));
    socket.close();
  }

  const reports = (): readonly Report[] =>
    collector.records.filter(({ path }) => path.endsWith('/SipFailures')).map(({ body }): Report => JSON.parse(body));

  /** Each report once, whatever was sent again. */
  const reported = (): number => {
    const all = new Map(reports().map((report) => [report.id, report]));
    return [...all.values()].flatMap(({ failures }) => failures).reduce((sum, { count }) => sum + count, 0);
  };

  async function outcomes(outcome: string): Promise<number> {
    const metric = await metrics.registry.getSingleMetric('ringdown_sender_failure_reports_total')?.get();
    return metric?.values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0;
  }

  it('reports them by method, status and peer to a collector that announces that it reads reports', async () => {
    const sender = await start();
    await fail(sender, 'r1', 'r2');
    await eventually('the reports', () => reported() === 2);
    const [first] = reports();
    expect(first).toMatchObject({ v: 1, frontEnd: 'fe1' });
    expect(first?.failures[0]).toMatchObject({ method: 'REGISTER', status: '403', peer: expect.any(String) });
    expect(JSON.stringify(reports())).not.toMatch(/alice|bob/i);
  });

  it('reports nothing to other collectors', async () => {
    collector.configuration = '<Configuration Version="1.0"/>';
    const sender = await start();
    await fail(sender, 'r1');
    await eventually('the failure', async () =>
      /request_failures_total\{.*\} 1/.test(await metrics.registry.metrics()),
    );
    await sender.stop();
    expect(reports()).toEqual([]);
  });

  it('reports nothing with FAILURE_REPORT_SECONDS=0', async () => {
    const sender = await start(0);
    await fail(sender, 'r1');
    await eventually('the failure', async () =>
      /request_failures_total\{.*\} 1/.test(await metrics.registry.metrics()),
    );
    await sender.stop();
    expect(reports()).toEqual([]);
  });

  it.each([
    ['is full', 503],
    ['does not answer', undefined],
  ])('sends the same report again while the store %s, and later failures after it', async (_what, given) => {
    status = given;
    const sender = await start();
    await fail(sender, 'r1');
    await eventually('a failed report', async () => (await outcomes('failed')) > 0);
    await fail(sender, 'r2', 'r3');
    status = 200;
    await eventually('all failures', async () => reported() === 3 && (await outcomes('stored')) >= 2);
    const [first] = reports();
    expect(reports().filter(({ id }) => id === first?.id).length).toBeGreaterThan(1);
  });

  it('drops reports that the collector refuses, and posts no more', async () => {
    status = 400;
    const sender = await start();
    await fail(sender, 'r1');
    await eventually('the refusal', async () => (await outcomes('refused')) === 1);
    await fail(sender, 'r2');
    await eventually('the failure', async () =>
      /request_failures_total\{.*\} 2/.test(await metrics.registry.metrics()),
    );
    await sender.stop();
    expect(reports()).toHaveLength(1);
  });

  it('reports what is left when it stops', async () => {
    const sender = await start(60_000);
    await fail(sender, 'r1');
    await eventually('the failure', async () =>
      /request_failures_total\{.*\} 1/.test(await metrics.registry.metrics()),
    );
    await sender.stop();
    expect(reported()).toBe(1);
  });
});
