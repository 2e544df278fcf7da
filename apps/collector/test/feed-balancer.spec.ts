import { jest } from '@jest/globals';
import { RECORDS_STREAM, type RecordBatch } from '@ringdown/contracts/records';
import { Bus } from '@ringdown/nats';
import { freePort } from '@ringdown/testing/embedded-servers';
import { eventually } from '@ringdown/testing/eventually';
import { FeedLoad } from '@ringdown/testing/feed-load';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { ProxyProgram } from '@ringdown/testing/servers/proxy-program';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import type { ServiceProcess } from '@ringdown/testing/service-process';
import { Started } from '@ringdown/testing/started';
import { readFileSync } from 'node:fs';
import { startCollector } from './collector-process.js';
import { makeFeedStreams } from './feed-owner.js';
import { postHead, RawConnection } from './raw-connection.js';
import { startRecord } from './running-collector.js';

jest.setTimeout(180_000);

/** Compiled, this file is in `apps/collector/dist/test`. */
const DEPLOYED = readFileSync(new URL('../../../../deploy/feed-balancer/haproxy.cfg', import.meta.url), 'utf8');

interface Behind {
  readonly port: number;
  readonly innerPort: number;
}

/** As it is deployed, but with collectors that are named instead of found by DNS, and with free ports. */
function configOf(port: number, collectors: readonly Behind[]): string {
  const servers = collectors.map((each, n) => `  server c${n} 127.0.0.1:${each.port} check port ${each.innerPort}`);
  const withServers = DEPLOYED.replaceAll(/^ {2}server-template collector 16 collector:8080 .*$/gm, servers.join('\n'));
  const [feed = ''] = withServers.split(/^# HTTPS is passed through/m);
  const withoutDns = feed.replace(/^resolvers docker\n( {2}.*\n)+/m, '');
  expect(withoutDns).not.toMatch(/docker|collector:8080/);
  return withoutDns.replace('bind :8080', `bind 127.0.0.1:${port}`);
}

describe('two collectors behind the HAProxy of deploy/feed-balancer', () => {
  const started = new Started();
  let nats: TestNats;
  let port: number;
  let collectors: readonly ServiceProcess[];
  let bus: Bus;

  beforeAll(async () => {
    nats = started.add(await startNats());
    await makeFeedStreams(nats.url);
    const inner = [await freePort(), await freePort()];
    collectors = await Promise.all(
      inner.map(async (innerPort) =>
        started.add(
          await startCollector({
            NATS_URL: nats.urlOf('collector'),
            COLLECTOR_PROXY_PROTOCOL: 'on',
            COLLECTOR_STORE_MS: '1000',
            INNER_PORT: String(innerPort),
          }),
        ),
      ),
    );
    port = await freePort();
    const behind = collectors.map((each, n) => ({ port: each.port, innerPort: inner[n] ?? 0 }));
    started.add(await ProxyProgram.start({ command: 'haproxy', config: configOf(port, behind), port }));
    bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    started.add({ stop: () => bus.close() });
    const isAnswered = async (): Promise<boolean> => (await post().catch(() => undefined))?.status === 200;
    await eventually('the collectors to be ready', isAnswered);
  });
  afterAll(() => started.stopAll());

  function post(xml = startRecord()): Promise<Response> {
    // A new connection for each: one that is kept may be closed just when it is used again.
    const headers = { 'content-type': 'text/xml', connection: 'close' };
    return fetch(`http://127.0.0.1:${port}/Ringdown/RequestMessage`, { method: 'POST', headers, body: xml });
  }

  it('count the answers of one connection, with 100 Continue between', async () => {
    const connection = await RawConnection.open(port);
    const xml = startRecord();
    const counts: number[] = [];
    for (let n = 0; n < 3; n++) {
      connection.send(postHead({ 'Content-Length': Buffer.byteLength(xml), Expect: '100-continue' }));
      await connection.receives(new RegExp(`(HTTP/1.1 100 Continue.*){${n + 1}}`, 's'));
      connection.send(xml);
      const text = await connection.receives(new RegExp(`(<Count>\\d+</Count>.*){${n + 1}}`, 's'));
      counts.push(Number([...text.matchAll(/<Count>(\d+)/g)].at(-1)?.[1]));
    }
    const [first = 0] = counts;
    expect(counts).toEqual([first, first + 1, first + 2]);
    connection.end();
  });

  it('lose no acknowledged record when one after the other is killed and started again', async () => {
    const load = new FeedLoad({ bases: [`http://127.0.0.1:${port}`], senders: 6, record: startRecord });
    try {
      for (const collector of collectors) {
        await load.untilAcknowledged(60);
        await collector.kill();
        await load.untilAcknowledged(60);
        await collector.launch();
      }
    } finally {
      await load.stop();
    }
    const times = await storedTimes();
    expect([...load.acknowledged].filter((callId) => times.get(callId) !== 1)).toEqual([]);
  });

  it('answer 503 with the reason while the bus is away, and 200 after it', async () => {
    await nats.kill();
    const refused = await eventually('both to be not ready', async () => {
      // As a sender does, it repeats what was closed without an answer.
      const response = await post().catch(() => undefined);
      if (response === undefined) return undefined;
      const text = await response.text();
      return response.status === 503 ? text : undefined;
    });
    expect(refused).toContain('<Code>');
    // Both are not ready for long enough for the balancer to know: it still connects to one that is alive.
    const statuses: (number | undefined)[] = [];
    for (let n = 0; n < 6; n++) {
      statuses.push((await post().catch(() => undefined))?.status);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    // The balancer ends the connections of a collector once, when it learns that it is not ready.
    const answered = statuses.filter((status) => status !== undefined);
    expect(new Set(answered)).toEqual(new Set([503]));
    expect(answered.length).toBeGreaterThanOrEqual(4);
    await nats.restart();
    await eventually('a record to be accepted', async () => (await post().catch(() => undefined))?.status === 200);
  });

  async function storedTimes(): Promise<ReadonlyMap<string, number>> {
    const { state } = await bus.jsm.streams.info(RECORDS_STREAM);
    const times = new Map<string, number>();
    for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
      const message = await bus.jsm.streams.getMessage(RECORDS_STREAM, { seq });
      for (const { record } of message?.json<RecordBatch>().records ?? []) {
        const { callId } = record.connection;
        times.set(callId, (times.get(callId) ?? 0) + 1);
      }
    }
    return times;
  }
});
