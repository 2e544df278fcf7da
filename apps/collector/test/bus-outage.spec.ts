import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { Writable } from 'node:stream';
import pino from 'pino';
import { RunningCollector, startRecord } from './running-collector.js';

describe('a collector during an outage of the bus', () => {
  let log = '';
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done): void {
      log += chunk.toString();
      done();
    },
  });
  let nats: TestNats;
  let collector: RunningCollector;

  beforeAll(async () => {
    nats = await startNats();
    collector = await RunningCollector.start(nats.url, { COLLECTOR_STORE_MS: '6000' }, pino({ level: 'warn' }, sink));
  });
  afterAll(async () => {
    await collector.stop();
    await nats.stop();
  });

  it('replies 503 and logs errors until the bus is back, and has stored exactly what it acknowledged', async () => {
    const accepted = ['before-1', 'before-2'];
    for (const callId of accepted) await collector.count(startRecord({ frontEnd: 'fe', callId }));
    expect(await collector.metric('ringdown_collector_unavailable_total')).toBe(0);
    await nats.kill();

    const refused = await Promise.all(
      ['lost-1', 'lost-2', 'lost-3'].map((callId) => collector.post(startRecord({ frontEnd: 'fe', callId }))),
    );
    for (const response of refused) {
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
      expect(await response.text()).toContain('<Code>unavailable</Code>');
    }
    expect(await collector.metric('ringdown_collector_unavailable_total')).toBe(3);
    expect(log.match(/answered with 503/g)).toHaveLength(1);
    expect(log).not.toContain('sip:alice');

    // Rejecting does not need the bus, nor does the configuration.
    expect((await collector.post('<x/>')).status).toBe(400);
    expect((await collector.post('')).status).toBe(200);
    await eventually('the body that is not kept', () => collector.metric('ringdown_collector_rejected_not_kept_total'));

    await nats.restart();
    const count = await eventually('a record taken again', () =>
      collector.count(startRecord({ frontEnd: 'fe', callId: 'after' })).catch(() => undefined),
    );
    // Only replies with 200 are counted, so the front end does not see a gap.
    expect(count).toBe(3);
    const stored = (await collector.stored()).map(({ record }) => record.connection.callId);
    expect(stored.filter((callId) => !callId.startsWith('lost'))).toEqual([...accepted, 'after']);
  });
});
