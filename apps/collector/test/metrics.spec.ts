import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { postHead, RawConnection } from './raw-connection.js';
import { configurationRequest, RunningCollector, startRecord } from './running-collector.js';

describe('the metrics of a collector', () => {
  const started = new Started();
  let nats: TestNats;
  let collector: RunningCollector;

  beforeAll(async () => {
    nats = started.add(await startNats());
    collector = started.add(await RunningCollector.start(nats.url));
  });
  afterAll(() => started.stopAll());

  function metric(name: string, of = collector): Promise<number> {
    return of.metric(`ringdown_collector_${name}`);
  }

  it('exist from the start, so that every first occurrence is an increase', async () => {
    const all = await collector.metricNames();
    for (const code of ['not-xml', 'too-large', 'address-not-allowed', 'unavailable']) {
      expect(all).toContain(`ringdown_collector_refused_total{code="${code}"}`);
    }
    expect(all).toContain('ringdown_collector_unavailable_total');
    expect(all).toContain('ringdown_collector_publishes_total{outcome="failed"}');
  });

  it('count what was received and stored, its duration and its messages', async () => {
    const record = startRecord();
    const bodies = [record, record, configurationRequest(), '', 'rubbish'];
    for (const body of bodies) await collector.post(body);
    // The reply is counted after it was sent.
    await eventually('the answers', async () => (await metric('requests_total')) === bodies.length);
    expect(await metric('received_bytes_total')).toBe(bodies.join('').length);
    expect(await metric('answer_seconds_count')).toBe(bodies.length);
    expect(await metric('records_total{kind="startOrUpdate"}')).toBe(2);
    expect(await metric('publishes_total{outcome="stored"}')).toBe(2);
    expect(await metric('publish_seconds_count')).toBe(2);
    expect(await metric('configurations_total')).toBe(1);
    expect(await metric('probes_total')).toBe(1);
    expect(await metric('refused_total{code="not-xml"}')).toBe(1);
  });

  it('count fewer messages than records when many arrive at once', async () => {
    const before = await metric('publishes_total{outcome="stored"}');
    const xml = startRecord({ callId: 'one' });
    const connection = await RawConnection.open(collector.port);
    connection.send((postHead({ 'Content-Length': xml.length }) + xml).repeat(50));
    await eventually('50 answers', () => connection.received.split('<Count>').length > 50);
    connection.end();
    expect((await metric('publishes_total{outcome="stored"}')) - before).toBeLessThan(25);
    expect(await metric('waiting_records')).toBe(0);
    expect(await metric('waiting_records_max')).toBeGreaterThan(1);
  });

  it('count open connections', async () => {
    const quiet = started.add(await RunningCollector.start(nats.url));
    const open = (): Promise<number> => quiet.metric('ringdown_collector_connections{scheme="http"}');
    const connections = await Promise.all([1, 2, 3].map(() => RawConnection.open(quiet.port)));
    await eventually('three connections', async () => (await open()) === 3);
    for (const connection of connections) connection.end();
    await eventually('their end', async () => (await open()) === 0);
    expect(await quiet.metric('ringdown_collector_requests_total')).toBe(0);
  });

  it('count every failed attempt, and every record that is lost by it', async () => {
    const hasty = started.add(await RunningCollector.start(nats.url, { COLLECTOR_STORE_MS: '2000' }));
    await nats.kill();
    const answers = await Promise.all([1, 2, 3].map(() => hasty.post(startRecord())));
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(await metric('publishes_total{outcome="failed"}', hasty)).toBeGreaterThan(0);
    expect(await metric('unavailable_total', hasty)).toBe(3);
    expect(await metric('refused_total{code="unavailable"}', hasty)).toBe(3);
    expect(await metric('waiting_records', hasty)).toBe(0);
    await nats.restart();
    await eventually('records again', async () => (await hasty.post(startRecord())).status === 200);
  });
});
