import { jest } from '@jest/globals';
import { startPostgres } from '@ringdown/testing/servers/database';
import { startNats } from '@ringdown/testing/servers/nats';
import { programFile } from '@ringdown/testing/program-file';
import { ServiceProcess } from '@ringdown/testing/service-process';
import { Started } from '@ringdown/testing/started';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportFault } from './report.js';
import { NOTHING_WRONG, WholeFeed } from './whole-feed.js';

jest.setTimeout(300_000);

/** Longer than a process needs to start on a busy machine, and a connection may take. */
const BEFORE_THE_SERVERS_MS = 25_000;
const OTHERS = ['subscribers', 'discovery-auth', 'application-people'] as const;

describe('services that are started before the bus, its streams and the database', () => {
  const started = new Started();

  afterAll(() => started.stopAll());

  it('wait for them, are ready then, and lose no record', async () => {
    const [bus, database] = [await startNats(), await startPostgres({ own: true })];
    await Promise.all([bus.kill(), database.kill()]);
    const others = OTHERS.map((name) =>
      ServiceProcess.start({
        main: programFile(name),
        running: `${name} is running`,
        env: { NATS_URL: bus.urlOf(name), SERVICE_HOST: '127.0.0.1' },
        portSetting: 'SERVICE_PORT',
      }),
    );
    const starting = WholeFeed.startOn(bus, { database });
    // None has ended.
    const first = await Promise.race([starting, ...others, sleep(BEFORE_THE_SERVERS_MS)]);
    expect(first).toBeUndefined();
    await bus.restart();
    await sleep(1_000);
    await database.restart();
    const feed = started.add(await starting);
    const running = (await Promise.all(others)).map((service) => started.add(service));
    await feed.storesOn(50);
    const outcome = await feed.outcome();
    reportFault('services started before bus, streams and database', 1, feed.load.acknowledged.size, outcome);
    expect(outcome).toEqual(NOTHING_WRONG);
    const lines = [feed.collector, ...running].flatMap((service) => service.log(40));
    expect(lines.map(({ msg }) => msg)).toContain('the start waits for the message bus; trying again');
  });
});
