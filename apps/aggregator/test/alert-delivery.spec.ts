import { freePort } from '@ringdown/testing/embedded-servers';
import { eventually } from '@ringdown/testing/eventually';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Problem, RunningAggregator, Surroundings } from './aggregator-under-test.js';
import { SilentFeeds } from './silent-feeds.js';

const SECRET = 'secret of this test only';

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
  let feeds: SilentFeeds;
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
    const receivers = Object.entries(urls).map(([name, url]) => ({ name, kind: 'webhook', url, secret: SECRET }));
    feeds = await SilentFeeds.start(folder, receivers);
    ({ around, aggregator } = feeds);
  });
  afterAll(async () => {
    for (const receiver of [good, failing, elsewhere, late, redirecting]) receiver.close();
    for (const server of [silent, garbage]) server.close();
    await around.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('reach a webhook once each, in order and with a signature', async () => {
    const rule = await feeds.create('one.example.test', ['good']);
    await eventually('a notice', () => good.taken.length > 0);
    await feeds.resolve('one.example.test');
    await eventually('two notices', () => good.taken.length > 1);
    await eventually('deliveries', async () =>
      (await feeds.noticesOf(rule)).every(({ deliveredAt }) => deliveredAt !== null),
    );
    expect(good.states).toEqual(['firing', 'resolved']);
    const alert = await feeds.alertOf(rule);
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
    const rule = await feeds.create('two.example.test', ['failing', 'late', 'good']);
    const before = good.taken.length;
    await eventually('the notice of another receiver', () => good.taken.length > before);
    await feeds.alertOf(rule);
    await feeds.resolve('two.example.test');
    await eventually('four attempts', () => failing.taken.length >= 4);
    expect(failing.states).toEqual(['firing', 'firing', 'firing', 'resolved']);
    expect(new Set(failing.taken.map(({ headers }) => headers['ringdown-notice'])).size).toBe(2);
    const waiting = (await feeds.noticesOf(rule)).filter(({ receiver }) => receiver === 'late');
    expect(waiting).toMatchObject([
      { deliveredAt: null, givenUp: false, lastError: 'the receiver cannot be reached: ECONNREFUSED' },
      { deliveredAt: null, givenUp: false, attempts: 0 },
    ]);
    await late.listen(latePort);
    await eventually('both notices', () => late.taken.length >= 2);
    expect(late.states).toEqual(['firing', 'resolved']);
  });

  it('are not sent elsewhere, and do not wait for receivers that say nothing or nonsense', async () => {
    const rule = await feeds.create('three.example.test', ['silent', 'garbage', 'redirecting', 'good']);
    const before = good.taken.length;
    await eventually('a notice', () => good.taken.length > before);
    const errors = await eventually('attempts', async () => {
      const notices = await feeds.noticesOf(rule);
      const failed = notices.filter(({ lastError }) => lastError !== null);
      return failed.length === 3 && Object.fromEntries(failed.map(({ receiver, lastError }) => [receiver, lastError]));
    });
    expect(errors).toEqual({
      silent: 'no reply within the time limit',
      garbage: 'the receiver cannot be reached: HPE_INVALID_CONSTANT',
      redirecting: 'the receiver replied with 307',
    });
    expect(elsewhere.taken).toEqual([]);
    expect((await feeds.send('DELETE', `/api/alert-rules/${rule.id}`)).status).toBe(204);
  });

  it('of the end reach a receiver that the rule has lost meanwhile, and not one that it has gained', async () => {
    const rule = await feeds.create('seven.example.test', ['good']);
    await feeds.alertOf(rule);
    const path = `/api/alert-rules/${rule.id}`;
    const change = { body: { ...rule, receivers: ['late'] }, headers: { 'if-match': rule.etag } };
    expect((await aggregator.send('PUT', path, around.operator, change)).status).toBe(200);
    await feeds.resolve('seven.example.test');
    await eventually('the end', async () => (await feeds.alertOf(rule)).endsAt !== null);
    expect((await feeds.noticesOf(rule)).map(({ id, receiver }) => [id.replace(/.*-/, ''), receiver])).toEqual([
      ['firing', 'good'],
      ['resolved', 'good'],
    ]);
  });

  it('of the end reach a receiver that the rule had lost before it was deleted', async () => {
    const rule = await feeds.create('eight.example.test', ['good', 'late']);
    await feeds.alertOf(rule);
    const path = `/api/alert-rules/${rule.id}`;
    const change = { body: { ...rule, receivers: [] }, headers: { 'if-match': rule.etag } };
    expect((await aggregator.send('PUT', path, around.operator, change)).status).toBe(200);
    expect((await feeds.send('DELETE', path)).status).toBe(204);
    const ends = (await feeds.noticesOf(rule)).filter(({ id }) => id.endsWith('-resolved'));
    // Both are made by one statement, in any order.
    expect(ends.map(({ receiver }) => receiver).toSorted()).toEqual(['good', 'late']);
  });

  it('are tested at once, with an answer for each receiver', async () => {
    const rule = await feeds.create('five.example.test', ['good', 'redirecting', 'garbage']);
    const { status, body } = await feeds.send<{ items: unknown }>('POST', `/api/alert-rules/${rule.id}/test`);
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
      ],
    ]);
    expect(good.states).toContain('test');
    expect((await feeds.send<Problem>('POST', '/api/alert-rules/x/test')).status).toBe(404);
    expect((await feeds.send('DELETE', `/api/alert-rules/${rule.id}`)).status).toBe(204);
  });

  it('have receivers whose names operators see, and nothing else', async () => {
    const { body } = await aggregator.get<Page<unknown>>('/api/alert-receivers', around.plainOperator);
    expect(body.items).toHaveLength(6);
    expect(body.items).toContainEqual({ name: 'good', kind: 'webhook' });
    const unknown = { name: 'x', measure: 'badCalls', limit: 0.5, receivers: ['nobody'] };
    const refused = await feeds.send<Problem>('POST', '/api/alert-rules', unknown);
    expect([refused.status, refused.body.parameters?.[0]?.name]).toEqual([400, 'receivers']);
    for (const receivers of ['good', ['good', 'good'], [7], Array.from({ length: 11 }, (_, n) => `r${n}`)]) {
      const { status } = await feeds.send('POST', '/api/alert-rules', { ...unknown, receivers });
      expect(status).toBe(400);
    }
  });
});

function listeningAddress(server: { address(): AddressInfo | string | null }): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return address;
}
