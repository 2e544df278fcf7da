import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { configurationRequest, countIn, RunningCollector, startRecord } from './running-collector.js';

describe('the collector', () => {
  let nats: TestNats;
  let collector: RunningCollector;

  beforeAll(async () => {
    nats = await startNats();
    collector = await RunningCollector.start(nats.url);
  });
  afterAll(async () => {
    await collector.stop();
    await nats.stop();
  });

  it('has stored a record, parsed and as received, when it replies 200', async () => {
    const xml = startRecord({ callId: 'durable' });
    const before = Date.now();
    const response = await collector.post(xml);
    const stored = (await collector.stored()).at(-1);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/xml; charset=utf-8');
    expect(await response.text()).toMatch(/^<Response><Count>\d+<\/Count><\/Response>$/);
    expect(stored).toMatchObject({
      xml,
      record: {
        version: '1.0',
        connection: { callId: 'durable', frontEnds: ['fe1.example.test'], cseq: 2 },
        events: [{ kind: 'startOrUpdate', mediaType: 'audio', protocol: 'UDP' }],
      },
    });
    expect(stored?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(stored?.receivedAt).toBeGreaterThanOrEqual(before);
    expect(stored?.receivedAt).toBeLessThanOrEqual(Date.now());
  });

  it('counts its replies per front end, including those to requests for the configuration', async () => {
    const post = (frontEnd: string): Promise<number> => collector.count(startRecord({ frontEnd }));
    expect([await post('count-a'), await post('count-a'), await post('count-b'), await post('COUNT-A')]).toEqual([
      1, 2, 1, 3,
    ]);
    await collector.post(configurationRequest('count-a'));
    expect(await post('count-a')).toBe(5);
  });

  it('accepts records with any path and XML type', async () => {
    for (const path of ['/', '/LDL/CallInfo', '/a/b/c?d=e', '/%zz', `/${'x'.repeat(2_000)}`]) {
      expect((await collector.post(startRecord(), {}, path)).status).toBe(200);
    }
    for (const type of ['application/xml', 'application/x.y+xml; charset=utf-8']) {
      expect((await collector.post(startRecord(), { 'content-type': type })).status).toBe(200);
    }
  });

  it('replies to a request for the configuration with its sender and the URL for records', async () => {
    const response = await collector.post(
      configurationRequest('fe<1>'.replace('<', '&lt;')),
      {},
      '/LDL/GetConfiguration',
    );
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text.replace(/ CurrentVersion="[0-9a-f]{24}"/, '')).toBe(
      '<Configuration Version="1.0" culture="en-US" Kind="Listener" Identifier="fe&lt;1&gt;" AcceptedVersions="1.0 A C D" AcceptedReports="SipFailures" AcceptedBatch="64 400000">' +
        `<parameter key="submituri">${collector.base}/LDL/RequestMessage</parameter></Configuration>`,
    );
  });

  it('treats an empty request as a probe', async () => {
    const before = await collector.metric('ringdown_collector_probes_total');
    const response = await collector.post('');
    expect(response.status).toBe(200);
    expect(countIn(await response.text())).toBeGreaterThan(0);
    expect((await fetch(`${collector.base}/x`, { method: 'POST' })).status).toBe(200);
    expect(await collector.metric('ringdown_collector_probes_total')).toBe(before + 2);
  });

  it('accepts records from many senders at once without mixing them up', async () => {
    const before = (await collector.stored()).length;
    const senders = ['p1', 'p2', 'p3', 'p4', 'p5'];
    const counts = await Promise.all(
      senders.map(async (frontEnd) => {
        const of = (i: number): string => startRecord({ frontEnd, callId: `${frontEnd}-${i % 7}` });
        return Promise.all(Array.from({ length: 60 }, (_, i) => collector.count(of(i))));
      }),
    );
    const oneToSixty = Array.from({ length: 60 }, (_, i) => i + 1);
    for (const own of counts) expect(own.toSorted((a, b) => a - b)).toEqual(oneToSixty);
    const stored = (await collector.stored()).slice(before);
    expect(stored).toHaveLength(300);
    expect(new Set(stored.map(({ id }) => id)).size).toBe(300);
    for (const { record, xml } of stored) expect(xml).toContain(`<CallId>${record.connection.callId}</CallId>`);
  });

  it('accepts a record of the maximum size', async () => {
    const large = { frontEnd: 'large', callId: 'call-large' };
    const around = startRecord({ ...large, filling: '<!---->' }).length;
    const filling = `<!--${'x'.repeat(400_000 - around)}-->`;
    const largest = startRecord({ ...large, filling });
    expect(largest).toHaveLength(400_000);
    expect(await collector.count(largest)).toBe(1);
  });

  it('counts stored records by kind', async () => {
    expect(await collector.metric('ringdown_collector_records_total{kind="startOrUpdate"}')).toBe(
      (await collector.stored()).length,
    );
  });
});

describe('a collector with a vendor profile', () => {
  it('accepts that vendor’s records as well as the default ones', async () => {
    const nats = await startNats();
    const collector = await RunningCollector.start(nats.url, {
      VENDOR_PROFILE: 'ms',
      COLLECTOR_ORIGIN: 'https://feed.example.test',
    });
    try {
      expect(await collector.count(startRecord().replaceAll('Diagnostics', 'LyncDiagnostics'))).toBe(1);
      expect(await collector.count(startRecord())).toBe(2);
      const configuration = await collector.post(configurationRequest(), {}, '/LDL/GetConfiguration');
      expect(await configuration.text()).toContain('>https://feed.example.test/LDL/RequestMessage<');
    } finally {
      await collector.stop();
      await nats.stop();
    }
  });
});
