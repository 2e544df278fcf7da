import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import type { ServiceProcess } from '@ringdown/testing/service-process';
import { Started } from '@ringdown/testing/started';
import { startCollector } from './collector-process.js';
import { makeFeedStreams } from './feed-owner.js';
import { startRecord } from './running-collector.js';

/** The account of the collector has no streams: an aggregator makes them (ADR 0083). */
describe('a collector that runs before any aggregator', () => {
  const started = new Started();
  let nats: TestNats;
  let collector: ServiceProcess;

  beforeAll(async () => {
    nats = started.add(await startNats());
    collector = started.add(await startCollector({ NATS_URL: nats.urlOf('collector') }));
  });
  afterAll(() => started.stopAll());

  const isReady = async (): Promise<boolean> => Object(await collector.readiness()).ready === true;

  async function post(): Promise<number> {
    const request = { method: 'POST', headers: { 'content-type': 'text/xml' }, body: startRecord({}) };
    return (await fetch(collector.base, request)).status;
  }

  it('is not ready and accepts nothing until the streams exist, and then is, without a restart', async () => {
    expect(await collector.readiness()).toMatchObject({
      ready: false,
      parts: { bus: 'ok', records: 'the stream RECORDS does not answer: stream not found' },
    });
    expect(await post()).toBe(503);
    const { pid } = collector;
    await makeFeedStreams(nats.url);
    await eventually('the collector to be ready', isReady, 30_000);
    expect(await post()).toBe(200);
    expect(collector.pid).toBe(pid);
  });
});
