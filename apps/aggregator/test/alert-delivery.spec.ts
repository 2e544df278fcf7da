import { freePort } from '@ringdown/testing/embedded-servers';
import { eventually } from '@ringdown/testing/eventually';
import { findProgram } from '@ringdown/testing/find-program';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { spawn, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AlertRule as ShownRule, AlertNoticeState as NoticeState, Alert } from '@ringdown/answers/alerts';
import { Database } from '../src/store/database/database.js';
import { Surroundings, type Answer, type Page, type Problem, type RunningAggregator } from './aggregator-under-test.js';
import { endXml, published, startXml } from './feed-examples.js';

const SECRET = 'secret of this test only';
const ADVICE = 'these tests need a real Alertmanager. Install it (Debian: apt-get install prometheus-alertmanager)';

interface Taken {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver that replies with these statuses in turn, and with the last one from then on. */
class Receiver {
  readonly taken: Taken[] = [];
  private readonly server: Server;

  constructor(statuses: readonly number[], headers: Readonly<Record<string, string>> = {}) {
    this.server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
      request.on('end', () => {
        const status = statuses[Math.min(this.taken.length, statuses.length - 1)] ?? 200;
        this.taken.push({ headers: request.headers, body });
        response.writeHead(status, headers).end('x'.repeat(1_000_000));
      });
    });
  }

  async listen(port = 0): Promise<string> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${listeningAddress(this.server).port}/hook?key=hidden-key`;
  }

  /** The states of the notices, in the order in which they were taken. */
  get states(): readonly string[] {
    return this.taken.map(({ body }) => {
      const { state }: { state?: unknown } = JSON.parse(body);
      return String(state);
    });
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

describe('notices of alerts', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;
  let folder: string;
  let alertmanager: Alertmanager;
  const good = new Receiver([200]);
  const failing = new Receiver([500, 503, 204]);
  const elsewhere = new Receiver([200]);
  const late = new Receiver([200]);
  let redirecting: Receiver;
  // Both accept connections: one never replies, the other one does not speak HTTP.
  const silent = createTcpServer(() => undefined);
  const garbage = createTcpServer((socket) => socket.on('error', () => undefined).end('garbage\r\n\r\n'));
  let latePort: number;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-alerts-'));
    alertmanager = await startAlertmanager(folder);
    redirecting = new Receiver([307], { location: await elsewhere.listen() });
    latePort = await freePort();
    for (const server of [silent, garbage]) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }
    const urls = {
      good: await good.listen(),
      failing: await failing.listen(),
      redirecting: await redirecting.listen(),
      late: `http://127.0.0.1:${latePort}/`,
      silent: `http://127.0.0.1:${listeningAddress(silent).port}/`,
      garbage: `http://127.0.0.1:${listeningAddress(garbage).port}/`,
    };
    const webhooks = Object.entries(urls).map(([name, url]) => ({ name, kind: 'webhook', url, secret: SECRET }));
    const receivers = [...webhooks, { name: 'alertmanager', kind: 'alertmanager', url: alertmanager.url }];
    const file = join(folder, 'receivers.json');
    writeFileSync(file, JSON.stringify({ receivers }));
    around = await Surroundings.start();
    const env = { ALERT_SECONDS: '1', ALERT_RECEIVERS: file };
    aggregator = await around.startAggregator(env);
    await around.startAggregator(env);
    // A new PostgreSQL has no tables before.
    await eventually('readiness', async () => (await aggregator.health.report()).ready);
  });
  afterAll(async () => {
    for (const receiver of [good, failing, elsewhere, late, redirecting]) receiver.close();
    for (const server of [silent, garbage]) server.close();
    await alertmanager.stop();
    await around.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const send = <T>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<Answer<T>> =>
    aggregator.send<T>(method, path, around.operator, body === undefined ? {} : { body });
  /** About a feed that was silent for ten minutes. */
  const create = async (frontEnd: string, receivers: readonly string[]): Promise<ShownRule> => {
    const search = { frontEnd };
    const rule = {
      name: `Silence of ${frontEnd}`,
      measure: 'silentFeed',
      limit: 300,
      minimumCalls: 1,
      search,
      receivers,
    };
    const { status, body } = await send<ShownRule>('POST', '/api/alert-rules', rule);
    expect(status).toBe(201);
    await around.publish(published(startXml({ callId: frontEnd, frontEnd }), Date.now() - 600_000));
    return body;
  };
  const alertOf = ({ id }: ShownRule): Promise<Alert> =>
    eventually('an alert', async () => {
      const { body } = await aggregator.get<Page<Alert>>(`/api/alerts?rule=${id}`, around.operator);
      return body.items[0];
    });
  const noticesOf = async (rule: ShownRule): Promise<readonly NoticeState[]> => {
    const { id } = await alertOf(rule);
    const answer = await aggregator.get<{ notices: readonly NoticeState[] }>(`/api/alerts/${id}`, around.operator);
    return answer.body.notices;
  };
  const resolve = (frontEnd: string): Promise<void> =>
    around.publish(published(endXml({ callId: frontEnd, frontEnd })));

  it('reach a webhook once each, in order and with a signature', async () => {
    const rule = await create('one.example.test', ['good']);
    await eventually('a notice', () => good.taken.length > 0);
    await resolve('one.example.test');
    await eventually('two notices', () => good.taken.length > 1);
    await eventually('deliveries', async () =>
      (await noticesOf(rule)).every(({ deliveredAt }) => deliveredAt !== null),
    );
    expect(good.states).toEqual(['firing', 'resolved']);
    const alert = await alertOf(rule);
    for (const { headers, body } of good.taken) {
      const signed = `${String(headers['ringdown-timestamp'])}.${body}`;
      const signature = createHmac('sha256', SECRET).update(signed).digest('hex');
      expect(headers['ringdown-signature']).toBe(`v1=${signature}`);
      expect(Math.abs(Number(headers['ringdown-timestamp']) - Date.now() / 1_000)).toBeLessThan(300);
      const notice = JSON.parse(body) as Record<string, unknown>; // oxlint-disable-line typescript/no-unsafe-type-assertion -- checked below
      expect(headers['ringdown-notice']).toBe(notice['id']);
      expect(notice).toMatchObject({
        alertId: alert.id,
        rule: { id: rule.id, name: 'Silence of one.example.test', severity: 'warning' },
        scope: { frontEnd: 'one.example.test' },
        startsAt: alert.startsAt,
      });
    }
    expect(JSON.parse(good.taken[1]?.body ?? '')).toMatchObject({ endsAt: alert.endsAt });
  });

  it('are repeated with the same id until a receiver takes them, and in order', async () => {
    const rule = await create('two.example.test', ['failing', 'late', 'good']);
    const before = good.taken.length;
    await eventually('the notice of another receiver', () => good.taken.length > before);
    await alertOf(rule);
    await resolve('two.example.test');
    await eventually('four attempts', () => failing.taken.length >= 4);
    expect(failing.states).toEqual(['firing', 'firing', 'firing', 'resolved']);
    expect(new Set(failing.taken.map(({ headers }) => headers['ringdown-notice'])).size).toBe(2);
    const waiting = (await noticesOf(rule)).filter(({ receiver }) => receiver === 'late');
    expect(waiting).toMatchObject([
      { deliveredAt: null, givenUp: false, lastError: 'the receiver cannot be reached: ECONNREFUSED' },
      { deliveredAt: null, givenUp: false, attempts: 0 },
    ]);
    await late.listen(latePort);
    await eventually('both notices', () => late.taken.length >= 2);
    expect(late.states).toEqual(['firing', 'resolved']);
  });

  it('are not sent elsewhere, and do not wait for receivers that say nothing or nonsense', async () => {
    const rule = await create('three.example.test', ['silent', 'garbage', 'redirecting', 'good']);
    const before = good.taken.length;
    await eventually('a notice', () => good.taken.length > before);
    const errors = await eventually('attempts', async () => {
      const notices = await noticesOf(rule);
      const failed = notices.filter(({ lastError }) => lastError !== null);
      return failed.length === 3 && Object.fromEntries(failed.map(({ receiver, lastError }) => [receiver, lastError]));
    });
    expect(errors).toEqual({
      silent: 'no reply within the time limit',
      garbage: 'the receiver cannot be reached: HPE_INVALID_CONSTANT',
      redirecting: 'the receiver replied with 307',
    });
    expect(elsewhere.taken).toEqual([]);
    expect((await send('DELETE', `/api/alert-rules/${rule.id}`)).status).toBe(204);
  });

  it('reach Alertmanager, which knows when they are resolved', async () => {
    const rule = await create('four.example.test', ['alertmanager']);
    const shown = async (): Promise<readonly Record<string, unknown>[]> => {
      const filter = encodeURIComponent(`rule="${rule.id}"`);
      const response = await fetch(`${alertmanager.url}/api/v2/alerts?filter=${filter}`);
      return (await response.json()) as readonly Record<string, unknown>[]; // oxlint-disable-line typescript/no-unsafe-type-assertion -- checked below
    };
    await eventually('an alert in Alertmanager', async () => (await shown()).length > 0);
    const alert = await alertOf(rule);
    expect(await shown()).toMatchObject([
      {
        labels: { alertname: 'Silence of four.example.test', severity: 'warning', frontEnd: 'four.example.test' },
        annotations: { summary: alert.summary },
        generatorURL: alert.link,
        status: { state: 'active' },
      },
    ]);
    await resolve('four.example.test');
    await eventually('no alert in Alertmanager', async () => (await shown()).length === 0);
  });

  it('are sent again to an Alertmanager that has restarted and forgotten them', async () => {
    const rule = await create('six.example.test', ['alertmanager']);
    const shown = async (): Promise<boolean> => {
      const filter = encodeURIComponent(`rule="${rule.id}"`);
      const response = await fetch(`${alertmanager.url}/api/v2/alerts?filter=${filter}`);
      return (await response.text()).includes(rule.id);
    };
    await eventually('an alert in Alertmanager', shown);
    await alertmanager.restart();
    expect(await eventually('the same alert after the restart', shown)).toBe(true);
    await resolve('six.example.test');
    await eventually('no alert in Alertmanager', async () => !(await shown()));
  });

  it('are all counted and repeated to Alertmanager, also more than a thousand', async () => {
    const database = new Database({ url: around.database.url, poolSize: 1, logger: quietLogger() });
    const count = 1_050;
    await database.write((transaction) =>
      transaction.query(
        `with added as (
           insert into alerts (id, rule_id, rule_name, severity, scope, unit, calls, summary, link, starts_at)
           select 'many-' || n, 'many', 'Many', 'warning', '{}', 'ratio', 1, 'Many.', 'https://uc.example.test/',
             date_trunc('milliseconds', now()) - n / 2 * interval '1 millisecond'
           from generate_series(1, $1::integer) as n returning id, starts_at
         )
         insert into alert_notices (id, receiver, body, next_attempt_at, delivered_at)
         select id || '-firing', 'alertmanager', jsonb_build_object('id', id || '-firing', 'alertId', id, 'state', 'firing',
           'rule', jsonb_build_object('id', 'many', 'name', 'Many', 'severity', 'warning'), 'scope', '{}'::jsonb, 'calls', 1,
           'summary', 'Many.', 'link', 'https://uc.example.test/', 'endsAt', null,
           'startsAt', to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), null, now()
         from added`,
        [count],
      ),
    );
    await eventually('all alerts in Alertmanager', async () => {
      const response = await fetch(`${alertmanager.url}/api/v2/alerts?filter=${encodeURIComponent('rule="many"')}`);
      const alerts: unknown = await response.json();
      return Array.isArray(alerts) && alerts.length === count;
    });
    const { body } = await aggregator.get<{ openCount: number }>('/api/alerts?limit=1&rule=many', around.operator);
    expect(body.openCount).toBe(count);
    await database.write((transaction) => transaction.query(`delete from alerts where rule_id = 'many'`));
    await database.close();
  });

  it('of the end reach a receiver that the rule has lost meanwhile, and not one that it has gained', async () => {
    const rule = await create('seven.example.test', ['good']);
    await alertOf(rule);
    const path = `/api/alert-rules/${rule.id}`;
    const change = { body: { ...rule, receivers: ['late'] }, headers: { 'if-match': rule.etag } };
    expect((await aggregator.send('PUT', path, around.operator, change)).status).toBe(200);
    await resolve('seven.example.test');
    await eventually('the end', async () => (await alertOf(rule)).endsAt !== null);
    expect((await noticesOf(rule)).map(({ id, receiver }) => [id.replace(/.*-/, ''), receiver])).toEqual([
      ['firing', 'good'],
      ['resolved', 'good'],
    ]);
  });

  it('of the end reach a receiver that the rule had lost before it was deleted', async () => {
    const rule = await create('eight.example.test', ['good', 'late']);
    await alertOf(rule);
    const path = `/api/alert-rules/${rule.id}`;
    const change = { body: { ...rule, receivers: [] }, headers: { 'if-match': rule.etag } };
    expect((await aggregator.send('PUT', path, around.operator, change)).status).toBe(200);
    expect((await send('DELETE', path)).status).toBe(204);
    const ends = (await noticesOf(rule)).filter(({ id }) => id.endsWith('-resolved'));
    // Both are made by one statement, in any order.
    expect(ends.map(({ receiver }) => receiver).toSorted()).toEqual(['good', 'late']);
  });

  it('are tested at once, with an answer for each receiver', async () => {
    const rule = await create('five.example.test', ['good', 'redirecting', 'garbage', 'alertmanager']);
    const { status, body } = await send<{ items: unknown }>('POST', `/api/alert-rules/${rule.id}/test`);
    expect([status, body.items]).toEqual([
      200,
      [
        { receiver: 'good', ok: true, reason: null, failure: null },
        {
          receiver: 'redirecting',
          ok: false,
          reason: 'the receiver replied with 307',
          failure: { code: 'status', detail: '307' },
        },
        {
          receiver: 'garbage',
          ok: false,
          reason: 'the receiver cannot be reached: HPE_INVALID_CONSTANT',
          failure: { code: 'unreachable', detail: 'HPE_INVALID_CONSTANT' },
        },
        { receiver: 'alertmanager', ok: true, reason: null, failure: null },
      ],
    ]);
    expect(good.states).toContain('test');
    expect((await send<Problem>('POST', '/api/alert-rules/x/test')).status).toBe(404);
    expect((await send('DELETE', `/api/alert-rules/${rule.id}`)).status).toBe(204);
  });

  it('have receivers whose names operators see, and nothing else', async () => {
    const { body } = await aggregator.get<Page<unknown>>('/api/alert-receivers', around.plainOperator);
    expect(body.items).toHaveLength(7);
    expect(body.items).toContainEqual({ name: 'good', kind: 'webhook' });
    const unknown = { name: 'x', measure: 'badCalls', limit: 0.5, receivers: ['nobody'] };
    const refused = await send<Problem>('POST', '/api/alert-rules', unknown);
    expect([refused.status, refused.body.parameters?.[0]?.name]).toEqual([400, 'receivers']);
    for (const receivers of ['good', ['good', 'good'], [7], Array.from({ length: 11 }, (_, n) => `r${n}`)]) {
      const { status } = await send('POST', '/api/alert-rules', { ...unknown, receivers });
      expect(status).toBe(400);
    }
  });
});

function listeningAddress(server: { address(): AddressInfo | string | null }): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return address;
}

interface Alertmanager {
  readonly url: string;
  /** Ends it like a crash: it keeps no alerts. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

async function startAlertmanager(folder: string): Promise<Alertmanager> {
  const program = findProgram('prometheus-alertmanager', ADVICE);
  const config = join(folder, 'alertmanager.yml');
  writeFileSync(config, 'route:\n  receiver: nobody\nreceivers:\n  - name: nobody\n');
  const url = `http://127.0.0.1:${await freePort()}`;
  const address = new URL(url).host;
  const options = [`--config.file=${config}`, `--storage.path=${folder}`, `--web.listen-address=${address}`];
  const start = async (): Promise<ChildProcess> => {
    const started = spawn(program, [...options, '--cluster.listen-address='], { stdio: 'ignore' });
    await eventually('Alertmanager', async () => (await fetch(`${url}/-/ready`).catch(() => undefined))?.ok === true);
    return started;
  };
  let child = await start();
  const stop = async (): Promise<void> => {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  const restart = async (): Promise<void> => {
    await stop();
    child = await start();
  };
  return { url, restart, stop };
}
