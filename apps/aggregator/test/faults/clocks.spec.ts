import { jest } from '@jest/globals';
import { eventually } from '@ringdown/testing/eventually';
import { Started } from '@ringdown/testing/started';
import { clockThatIsWrong, clockThatJumps } from '@ringdown/testing/wrong-clock';
import { reportFault, faultRepetitions } from './report.js';
import { NOTHING_WRONG, WholeFeed } from './whole-feed.js';

jest.setTimeout(900_000);

const DAY_SECONDS = 86_400;
const WARN = 40;

/** Resolves when the aggregator has detected that difference. */
async function isAheadBy({ aggregator }: WholeFeed, service: string, days: number): Promise<void> {
  const metric = `ringdown_aggregator_clock_ahead_seconds{clock="${service}"}`;
  const isSo = async (): Promise<boolean> => {
    return Math.abs((await aggregator.metric(metric)) / DAY_SECONDS - days) < 0.01;
  };
  await eventually(`the clock of the ${service} to be ahead by ${days} days`, isSo);
}

async function severalSweeps(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5_000));
}

/** All in the full run only: each takes a quarter of a minute. */
const WRONG = (
  [
    ['aggregator', 40],
    ['collector', -40],
    ['aggregator', -40],
    ['collector', 40],
  ] as const
).slice(0, 2 * faultRepetitions(2));

describe.each(WRONG)('calls in progress, when the clock of the %s is %s days ahead', (service, days) => {
  const started = new Started();
  let feed: WholeFeed;

  beforeAll(async () => {
    const env = { ...clockThatIsWrong(days * DAY_SECONDS), TIMEOUT_SWEEP_SECONDS: '1' };
    const wrong = service === 'collector' ? { collectorEnv: env } : { aggregatorEnv: env };
    feed = started.add(await WholeFeed.start({ settings: { TIMEOUT_SWEEP_SECONDS: '1' }, ...wrong }));
  });
  afterAll(() => started.stopAll());

  it('are not expired, lost or duplicated', async () => {
    const { load, aggregator } = feed;
    await feed.storesOn(50);
    await isAheadBy(feed, service, days);
    await severalSweeps();
    const outcome = await feed.outcome();
    reportFault(`clock of ${service} ${days > 0 ? 'ahead' : 'behind'} by 40 days`, 1, load.acknowledged.size, outcome);
    expect(outcome).toEqual(NOTHING_WRONG);
    expect(await aggregator.metric('ringdown_aggregator_calls_timed_out_total{reason="expired"}')).toBe(0);
    const isLogged = (): boolean => aggregator.log(WARN).some(({ msg }) => msg.startsWith('clocks differ'));
    expect(await eventually('the warning', isLogged)).toBe(true);
  });
});

/** The collector's only in the full run: each takes half a minute. */
const JUMPING = (['aggregator', 'collector'] as const).slice(0, faultRepetitions(2));

describe.each(JUMPING)('calls in progress, when the clock of the %s jumps', (service) => {
  const started = new Started();
  let feed: WholeFeed;

  beforeAll(async () => {
    const env = clockThatJumps(40 * DAY_SECONDS);
    const jumping = service === 'collector' ? { collectorEnv: env } : { aggregatorEnv: env };
    feed = started.add(await WholeFeed.start({ settings: { TIMEOUT_SWEEP_SECONDS: '1' }, ...jumping }));
  });
  afterAll(() => started.stopAll());

  function jump(): void {
    const { pid } = feed[service];
    if (pid === undefined) throw new Error(`the ${service} has ended`);
    process.kill(pid, 'SIGUSR2');
  }

  it('are not expired, lost or duplicated, 40 days ahead and back', async () => {
    const { load, aggregator } = feed;
    await feed.storesOn(50);
    for (const days of [40, 0]) {
      jump();
      await isAheadBy(feed, service, days);
      await severalSweeps();
      await feed.storesOn(50);
    }
    const outcome = await feed.outcome();
    reportFault(`clock of ${service} jumps 40 days ahead and back`, 1, load.acknowledged.size, outcome);
    expect(outcome).toEqual(NOTHING_WRONG);
    expect(await aggregator.metric('ringdown_aggregator_calls_timed_out_total{reason="expired"}')).toBe(0);
  });
});
