import { RECORDS_STREAM } from '@ringdown/contracts/records';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { RunningSubscribers } from './running-subscribers.js';

describe('subscribers whose stream is missing', () => {
  let nats: TestNats;
  let running: RunningSubscribers;

  beforeAll(async () => {
    nats = await startNats();
    running = await RunningSubscribers.open(nats.url);
    // Nothing is sent, so that nobody needs to answer.
    await running.start(
      { name: 'nms', submituri: 'http://127.0.0.1:9/' },
      { name: 'wallboard', submituri: 'http://127.0.0.1:9/', send: 'calls' },
    );
  });
  afterAll(async () => {
    await running.stop();
    await running.bus.close();
    await nats.stop();
  });

  it('say so in their readiness, and stay ready for the rest', async () => {
    const parts = { bus: 'ok', 'records to send': 'ok', 'calls to send': 'ok' };
    expect(await running.health.report()).toEqual({ ready: true, parts, limited: [] });
    await running.bus.jsm.streams.delete(RECORDS_STREAM);
    expect(await running.health.report()).toEqual({
      ready: true,
      parts: { ...parts, 'records to send': `the stream ${RECORDS_STREAM} does not answer: stream not found` },
      limited: ['records to send'],
    });
  });
});
