import { Metrics } from '@ringdown/observability';
import { eventually } from '@ringdown/testing/eventually';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AlertMetrics } from '../src/alerts/deciding/alert-metrics.js';
import type { AlertNotice } from '../src/alerts/delivery/alert-notice.js';
import { AlertNotices, storeNotices } from '../src/alerts/delivery/alert-notices.js';
import { AlertReceivers } from '../src/alerts/delivery/alert-receivers.js';
import { NoticeDeliverer } from '../src/alerts/delivery/notice-deliverer.js';
import { Database } from '../src/store/database/database.js';
import { Surroundings } from './aggregator-under-test.js';

const NOTICE: AlertNotice = {
  id: 'first-firing',
  alertId: 'first',
  state: 'firing',
  rule: { id: 'rule', name: 'Bad calls', severity: 'warning' },
  scope: {},
  value: 0.4,
  limit: 0.2,
  unit: 'ratio',
  calls: 25,
  summary: 'The share of bad calls is 40 % in 25 calls; the limit is above 20 %.',
  link: 'https://uc.example.test/console/calls',
  startsAt: '2026-11-25T10:00:00.000Z',
  endsAt: null,
};

describe('the delivery of notices', () => {
  let around: Surroundings;
  let database: Database;
  let deliverer: NoticeDeliverer;
  const events: string[] = [];
  const held = createServer((request) => {
    events.push('held');
    request.socket.on('close', () => events.push('held closed'));
  });
  const free = createServer((_, response) => {
    events.push('free');
    response.end();
  });

  beforeAll(async () => {
    around = await Surroundings.start();
    // Creates the tables; it has no receivers.
    const aggregator = await around.startAggregator();
    await eventually('readiness', async () => (await aggregator.health.report()).ready);
    const logger = quietLogger();
    database = new Database({ url: around.database.url, poolSize: 2, logger });
    const receivers = new AlertReceivers([
      { name: 'held', kind: 'webhook', url: await listen(held), secret: 'secret of this test only' },
      { name: 'free', kind: 'webhook', url: await listen(free), secret: 'secret of this test only' },
    ]);
    const metrics = new AlertMetrics(new Metrics());
    deliverer = new NoticeDeliverer({ notices: new AlertNotices(database), receivers, metrics, logger });
  });
  afterAll(async () => {
    for (const server of [held, free]) {
      server.closeAllConnections();
      server.close();
    }
    await database.close();
    await around.stop();
  });

  async function listen(server: Server): Promise<URL> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has such an address
    return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  }

  const store = (id: string, receiver: string): Promise<void> =>
    database.write((transaction) => storeNotices(transaction, { ...NOTICE, id }, [receiver]));

  it('does not wait for a receiver that does not reply, and ends before the deliverer has stopped', async () => {
    await store('first-firing', 'held');
    await deliverer.deliverAll();
    await eventually('the request', () => events.length > 0);
    await store('second-firing', 'held');
    await store('third-firing', 'free');
    await deliverer.deliverAll();
    await eventually('the notice of the other receiver', () => events.includes('free'));
    await deliverer.stop();
    expect(events).toEqual(['held', 'free', 'held closed']);
    expect(await new AlertNotices(database).ofAlert('first')).toMatchObject([
      { attempts: 1, lastError: 'no reply within the time limit' },
    ]);
  });
});
