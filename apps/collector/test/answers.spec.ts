import { collectorAnswersPattern, type FrontEndAnswers } from '@ringdown/contracts/front-end-answers';
import { requestFrontEndAnswers } from '@ringdown/feed-bus';
import { Bus } from '@ringdown/nats';
import { ServiceReports } from '@ringdown/service';
import { eventually } from '@ringdown/testing/eventually';
import { startNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import type { ServiceProcess } from '@ringdown/testing/service-process';
import { Started } from '@ringdown/testing/started';
import { startCollector } from './collector-process.js';
import { makeFeedStreams } from './feed-owner.js';
import { configurationRequest, countIn, startRecord } from './running-collector.js';

describe('the count of a collector’s replies to front ends', () => {
  const started = new Started();
  let bus: Bus;
  let collector: ServiceProcess;

  beforeAll(async () => {
    const nats = started.add(await startNats());
    await makeFeedStreams(nats.url);
    collector = started.add(await startCollector({ NATS_URL: nats.urlOf('collector') }));
    bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
  });
  afterAll(async () => {
    await bus.close();
    await started.stopAll();
  });

  async function post(body: string): Promise<number> {
    const headers = { 'content-type': 'text/xml' };
    const answer = await fetch(`${collector.base}/Ringdown/RequestMessage`, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
    return countIn(await answer.text());
  }

  /** The running replica, which reports itself soon after its start. */
  const replicaOtherThan = (before?: string): Promise<string> =>
    eventually('a collector', async () => {
      const reports = await new ServiceReports(bus).all();
      return reports.map(({ replica }) => replica).find((replica) => replica !== before);
    });
  /** Requests until the reply is in time: on a busy machine a collector may need more than one request. */
  const answersOf = (replica: string, ...frontEnds: readonly string[]): Promise<Record<string, FrontEndAnswers>> =>
    eventually('an answer in time', async () => {
      const answers = await requestFrontEndAnswers(bus, replica, frontEnds).catch(() => undefined);
      return answers && Object.fromEntries(answers);
    });

  it('is returned on request, in upper or lower case, and only for front ends with replies', async () => {
    const replica = await replicaOtherThan();
    const before = Date.now();
    const frontEnd = 'Fe1.example.test';
    expect([await post(startRecord({ frontEnd })), await post(startRecord({ frontEnd }))]).toEqual([1, 2]);
    await post(configurationRequest('fe2.example.test'));
    const answers = await answersOf(replica, 'FE1.example.test', 'fe2.example.test', 'fe3.example.test');
    expect(answers).toEqual({
      'FE1.example.test': { count: 2, firstAt: expect.any(Number), lastAt: expect.any(Number), unavailable: 0 },
      'fe2.example.test': { count: 1, firstAt: expect.any(Number), lastAt: expect.any(Number), unavailable: 0 },
    });
    const { firstAt = 0, lastAt = 0 } = answers['FE1.example.test'] ?? {};
    expect(firstAt).toBeGreaterThanOrEqual(before);
    expect(lastAt).toBeGreaterThanOrEqual(firstAt);
    expect(lastAt).toBeLessThanOrEqual(Date.now());
  });

  it.each([null, {}, { frontEnds: 'fe1.example.test' }, { frontEnds: [7] }])(
    'is not returned for the request %j',
    async (question) => {
      const replica = await replicaOtherThan();
      await expect(bus.request(collectorAnswersPattern(replica), question, 60_000)).rejects.toThrow(/is an error: /);
      expect(await answersOf(replica, 'fe2.example.test')).toHaveProperty(['fe2.example.test', 'count'], 1);
    },
  );

  it('is gone with the process, and the next one begins at 1', async () => {
    const killed = await replicaOtherThan();
    await collector.kill();
    // The bus may need a moment to detect that the collector is gone.
    await expect(requestFrontEndAnswers(bus, killed, ['fe1.example.test'])).rejects.toThrow(
      /no service answers|timeout/,
    );
    await collector.launch();
    const next = await replicaOtherThan(killed);
    expect(await answersOf(next, 'fe1.example.test')).toEqual({});
    expect(await post(startRecord({ frontEnd: 'fe1.example.test' }))).toBe(1);
    expect(await answersOf(next, 'fe1.example.test')).toHaveProperty(['fe1.example.test', 'count'], 1);
  });
});
