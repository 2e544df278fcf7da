import { SipFailurePublisher } from '@ringdown/feed-bus';
import { freePort } from '@ringdown/testing/embedded-servers';
import { eventually } from '@ringdown/testing/eventually';
import { programFile } from '@ringdown/testing/program-file';
import { ServiceProcess } from '@ringdown/testing/service-process';
import { Started } from '@ringdown/testing/started';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Alert } from '@ringdown/answers/alerts';
import { Surroundings, type Page } from './aggregator-under-test.js';
import { endXml, published, qualityXml, startXml } from './feed-examples.js';

/** `RINGDOWN_ALERT_MINUTES=60` for the whole hour. */
const MINUTES = Number(process.env['RINGDOWN_ALERT_MINUTES'] ?? 0);
/** Of the test, each with its share of the time. */
const STEPS = 5;
const PACE_MS = (MINUTES * 60_000) / STEPS;
/** A receiver that was down gets its notices after up to five minutes. */
const LATE_MS = 360_000;
const LIMIT_MS = MINUTES * 60_000 + 2 * LATE_MS;
const MAIN = programFile('aggregator');
const HOUR = 3_600;
const NAMES = ['good', 'late', 'slow', 'refusing'] as const;
const RULES = [
  { name: 'bad', measure: 'badCalls', by: 'frontEnd', limit: 0.4, clearLimit: 0.3, windowSeconds: 2 * HOUR },
  {
    name: 'short',
    measure: 'shortCalls',
    by: 'frontEnd',
    limit: 0.4,
    windowSeconds: 2 * HOUR,
    shortSeconds: 5,
    receivers: ['good', 'late', 'refusing'],
  },
  { name: 'registrations', measure: 'failingRegistrations', limit: 9, windowSeconds: 60 },
  { name: 'silence', measure: 'silentFeed', limit: 2 * HOUR, minimumCalls: 1, search: { frontEnd: 'fe-quiet' } },
];

interface Notice {
  readonly id: string;
  readonly state: string;
  readonly rule: { readonly name: string };
}

/** Takes notices; each reply comes after `delayMs`, with this status. */
function receiver(status: number, delayMs = 0): { readonly server: Server; readonly notices: Notice[] } {
  const notices: Notice[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      if (status < 300) notices.push(JSON.parse(body));
      setTimeout(() => response.writeHead(status).end(), delayMs);
    });
  });
  return { server, notices };
}

describe('an hour of traffic with two aggregators of which one is killed', () => {
  const started = new Started();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-hour-'));
  const receivers = { good: receiver(204), late: receiver(204), slow: receiver(200, 2_000), refusing: receiver(400) };
  let around: Surroundings;
  let first: ServiceProcess;
  let second: ServiceProcess;
  let latePort: number;
  let calls = 0;

  beforeAll(async () => {
    latePort = await freePort();
    const ports: Record<string, number> = { late: latePort };
    for (const name of ['good', 'slow', 'refusing'] as const) ports[name] = await listen(receivers[name].server);
    const webhooks = NAMES.map((name) => {
      return { name, kind: 'webhook', url: `http://127.0.0.1:${ports[name]}/`, secret: 'secret of this test only' };
    });
    const file = join(folder, 'receivers.json');
    writeFileSync(file, JSON.stringify({ receivers: webhooks }));
    const rules = RULES.map((rule) => ({ minimumCalls: 4, receivers: NAMES, ...rule, id: rule.name }));
    writeFileSync(join(folder, 'rules.json'), JSON.stringify({ rules }));
    around = await Surroundings.start();
    const env = {
      NATS_URL: around.nats.urlOf('aggregator'),
      DATABASE_URL: around.database.url,
      ALERT_SECONDS: '1',
      ALERT_RECEIVERS: file,
      ALERT_RULES: join(folder, 'rules.json'),
      WEB_CONNECTIONS_PER_ADDRESS: '10000',
      SERVICE_HOST: '127.0.0.1',
      IDENTITY_SEED: 'seed of these very tests',
    };
    const start = (): Promise<ServiceProcess> =>
      ServiceProcess.start({ main: MAIN, running: 'aggregator is running', env, portSetting: 'SERVICE_PORT' });
    [first, second] = [started.add(await start()), started.add(await start())];
    // Longer than the hour.
    around.allow(around.operator, ['user', 'operator', 'reveal'], Date.now() + 2 * LIMIT_MS);
  });
  afterAll(async () => {
    await started.stopAll();
    for (const { server } of Object.values(receivers)) {
      server.closeAllConnections();
      server.close();
    }
    await around.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function listen(server: Server, port = 0): Promise<number> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has such an address
    return (server.address() as AddressInfo).port;
  }

  /** So many calls of a feed that are over, with this share of lost packets. */
  async function traffic(frontEnd: string, count: number, loss = 0, seconds = 30): Promise<void> {
    for (let n = 0; n < count; n++) {
      const record = { callId: `hour-${++calls}`, frontEnd };
      const at = (offset: number): string => new Date(Date.now() - 60_000 + offset * 1_000).toISOString();
      await around.publish(
        published(startXml({ ...record, at: at(0) })),
        published(endXml({ ...record, at: at(seconds) })),
        published(qualityXml({ ...record, at: at(seconds + 1) }, loss)),
      );
    }
  }

  /** The report is about to leave the window. */
  async function registrations(count: number): Promise<void> {
    const failures = [{ method: 'REGISTER', status: '403', peer: '192.0.2.10', count }];
    const report = { v: 1, id: randomUUID(), frontEnd: 'fe-b', failures, receivedAt: Date.now() - 35_000 } as const;
    await new SipFailurePublisher({ bus: around.bus }).publish(report);
  }

  /** Of the aggregator that runs. `bad fe-a open`, sorted. */
  async function alerts(): Promise<readonly string[]> {
    const base = second.pid === undefined ? first.base : second.base;
    const headers = { authorization: `Bearer ${around.operator}` };
    // While the machine is busy, the database may respond too late: 503.
    const response = await eventually('a list of alerts', async () => {
      const answer = await fetch(`${base}/api/alerts?limit=200`, { headers });
      return answer.status === 200 && answer;
    });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the specification expects is checked by it
    const { items } = (await response.json()) as Page<Alert>;
    return items
      .map(({ ruleName, scope, endsAt }) => `${[ruleName, ...Object.values(scope)].join(' ')}${endsAt ? '' : ' open'}`)
      .toSorted();
  }

  async function expectAlerts(...expected: readonly string[]): Promise<void> {
    await eventually(`alerts ${expected.join()}`, async () => (await alerts()).join() === expected.join());
    await sleep(PACE_MS);
    expect(await alerts()).toEqual(expected);
  }

  const ids = (name: (typeof NAMES)[number]): readonly string[] =>
    [...new Set(receivers[name].notices.map(({ id }) => id))].toSorted();

  it(
    'raises exactly the expected alerts, each once, and notifies each receiver that accepts them',
    async () => {
      await traffic('fe-a', 6);
      await traffic('fe-b', 6);
      await around.publish(
        published(startXml({ callId: 'quiet', frontEnd: 'fe-quiet' }), Date.now() - 3 * HOUR * 1_000),
      );
      await expectAlerts('silence fe-quiet open');
      await traffic('fe-a', 6, 0.5);
      // The limit itself is allowed.
      await traffic('fe-b', 4, 0.5);
      await expectAlerts('bad fe-a open', 'silence fe-quiet open');
      await Promise.all([traffic('fe-c', 6, 0, 2), first.kill()]);
      await expectAlerts('bad fe-a open', 'short fe-c open', 'silence fe-quiet open');
      await registrations(9);
      await registrations(1);
      await listen(receivers.late.server, latePort);
      await first.launch();
      await Promise.all([traffic('fe-a', 12), second.kill()]);
      await expectAlerts('bad fe-a', 'registrations', 'short fe-c open', 'silence fe-quiet open');
      await around.publish(published(endXml({ callId: 'quiet', frontEnd: 'fe-quiet' })));
      await expectAlerts('bad fe-a', 'registrations', 'short fe-c open', 'silence fe-quiet');
      // Four alerts, of which three are over; `slow` is not a receiver of the open one.
      const counts = (): string => (['good', 'late', 'slow'] as const).map((name) => ids(name).length).join();
      await eventually('all notices', () => counts() === '7,7,6', LATE_MS);
      expect(ids('late')).toEqual(ids('good'));
      expect(receivers.slow.notices.filter(({ rule }) => rule.name === 'short')).toEqual([]);
      expect(ids('refusing')).toEqual([]);
    },
    LIMIT_MS,
  );
});
