import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { shortestMs } from '@ringdown/testing/timing';
import { postHead, RawConnection } from './raw-connection.js';
import { configurationRequest, RunningCollector, startRecord } from './running-collector.js';

const CONTINUE = /^HTTP\/1\.1 100 Continue\r\n\r\n/;

function post(xml: string, headers: Record<string, string | number> = {}): string {
  return postHead({ 'Content-Length': Buffer.byteLength(xml), ...headers }) + xml;
}

describe('a connection to the collector', () => {
  let nats: TestNats;
  let collector: RunningCollector;
  /** A collector with a short request limit, only for tests that wait for that limit. */
  let hasty: RunningCollector;
  let open: RawConnection[] = [];

  async function connection(to = collector): Promise<RawConnection> {
    const raw = await RawConnection.open(to.port);
    open.push(raw);
    return raw;
  }

  beforeAll(async () => {
    nats = await startNats();
    collector = await RunningCollector.start(nats.url, { COLLECTOR_MAX_CONNECTIONS: '20' });
    hasty = await RunningCollector.start(nats.url, { COLLECTOR_REQUEST_SECONDS: '2' });
  });
  afterEach(() => {
    for (const raw of open) raw.end();
    open = [];
  });
  afterAll(async () => {
    await hasty.stop();
    await collector.stop();
    await nats.stop();
  });

  it('that expects 100 Continue receives it, then the reply', async () => {
    const raw = await connection();
    for (const xml of [configurationRequest('expecting'), startRecord({ frontEnd: 'expecting' })]) {
      raw.received = '';
      raw.send(postHead({ 'Content-Length': xml.length, Expect: '100-continue' }));
      await raw.receives(CONTINUE);
      expect(raw.received).not.toContain('200');
      raw.send(xml);
      await raw.receives(/HTTP\/1\.1 200 OK.*(<Count>2<|Identifier="expecting")/s);
    }
    expect(raw.closed).toBe(false);
  });

  it.each([
    ['a body that is too large', { 'Content-Length': 400_001 }, 413],
    ['a type that is not read', { 'Content-Length': 10, 'Content-Type': 'text/plain' }, 415],
  ])('that expects 100 Continue for %s is rejected at once, without it', async (_what, headers, status) => {
    const raw = await connection();
    raw.send(postHead({ ...headers, Expect: '100-continue' }));
    expect(await raw.receivesToTheEnd()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*connection: close.*<Error>`, 's'));
  });

  it('that expects something else is rejected', async () => {
    const raw = await connection();
    raw.send(postHead({ 'Content-Length': 3, Expect: 'miracles' }));
    expect(await raw.receivesToTheEnd()).toMatch(/^HTTP\/1\.1 417 .*<Code>expectation-failed<\/Code>/s);
    expect(await collector.metric('ringdown_collector_refused_total{code="expectation-failed"}')).toBe(1);
  });

  it('may send its body without waiting for 100 Continue', async () => {
    const raw = await connection();
    raw.send(post(startRecord(), { Expect: '100-continue' }));
    expect(await raw.receives(/HTTP\/1\.1 200 OK.*<Count>/s)).toMatch(CONTINUE);
  });

  it('may send several requests without waiting; replies come in order', async () => {
    const raw = await connection();
    const frontEnd = 'pipelined';
    const bad = post('<x/>');
    raw.send(post(startRecord({ frontEnd })) + bad + post(startRecord({ frontEnd })) + post(''));
    const answers = await raw.receives(/(<(Count|Code)>.*){4}/s);
    expect(answers).toMatch(/<Count>1<.*<Code>unknown-root<.*<Count>2<.*<Count>/s);
  });

  it('may send a body in many small pieces', async () => {
    const raw = await connection();
    const request = post(startRecord({ frontEnd: 'slow' }));
    for (let i = 0; i < request.length; i += 50) {
      raw.send(request.slice(i, i + 50));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(await raw.receives(/<Count>/)).toContain('<Count>1<');
  });

  it('may be half-closed after its last request, and still receives the reply', async () => {
    const raw = await connection();
    raw.send(post(startRecord({ frontEnd: 'brief' })) + post(startRecord({ frontEnd: 'brief' })));
    raw.finish();
    expect(await raw.receivesToTheEnd()).toMatch(/<Count>1<.*<Count>2</s);
  });

  it('of HTTP/1.0 does not need a Host header', async () => {
    const raw = await connection();
    raw.send('POST / HTTP/1.0\r\nContent-Length: 0\r\n\r\n');
    expect(await raw.receivesToTheEnd()).toMatch(/^HTTP\/1\.1 200 .*<Count>/s);
  });

  it('whose body does not arrive in time receives an error and is closed', async () => {
    const raw = await connection(hasty);
    raw.send(postHead({ 'Content-Length': 100 }));
    raw.send('<Diag');
    expect(await raw.receivesToTheEnd()).toMatch(/^HTTP\/1\.1 408 .*<Code>timeout</s);
  });

  it('whose head does not arrive in time receives an error and is closed', async () => {
    const raw = await connection(hasty);
    raw.send('POST / HTTP/1.1\r\nHost: x\r\n');
    expect(await raw.receivesToTheEnd()).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('that ends in the middle of a body does not affect others', async () => {
    const raw = await connection();
    raw.send(postHead({ 'Content-Length': 100 }));
    raw.send('<Diag');
    await new Promise((resolve) => setTimeout(resolve, 50));
    raw.end();
    expect(await collector.count(startRecord())).toBeGreaterThan(0);
  });

  it('stays open while the front end is silent', async () => {
    const raw = await connection(hasty);
    raw.send(post(startRecord({ frontEnd: 'silent' })));
    await raw.receives(/<Count>1</);
    // Longer than a request may take, and longer than Node's own five seconds with its buffer.
    await new Promise((resolve) => setTimeout(resolve, 7_000));
    raw.send(post(startRecord({ frontEnd: 'silent' })));
    expect(await raw.receives(/<Count>2</)).toMatch(/^HTTP\/1\.1 200 OK.*HTTP\/1\.1 200 OK/s);
  });

  it('over the limit of connections is dropped and counted', async () => {
    await Promise.all(Array.from({ length: 30 }, () => connection().catch(() => undefined)));
    const dropped = (): Promise<number> =>
      collector.metric('ringdown_collector_connections_dropped_total{limit="port"}');
    await eventually('dropped connections', async () => (await dropped()) > 0);
    for (const raw of open) raw.end();
    const count = await eventually('room for another', () => collector.count(startRecord()).catch(() => undefined));
    expect(count).toBeGreaterThan(0);
  });
});

describe('a stopping collector', () => {
  it('replies to requests in progress, closes idle connections and ends soon', async () => {
    const msToStop = async (): Promise<number> => {
      const nats = await startNats();
      const collector = await RunningCollector.start(nats.url);
      const idle = await RawConnection.open(collector.port);
      idle.send(post(startRecord({ frontEnd: 'idle' })));
      await idle.receives(/<Count>1</);
      const busy = await RawConnection.open(collector.port);
      const xml = startRecord({ frontEnd: 'busy' });
      // The request has arrived, as far as it was sent.
      busy.send(postHead({ 'Content-Length': xml.length, Expect: '100-continue' }) + xml.slice(0, 50));
      await busy.receives(CONTINUE);
      const began = performance.now();
      const stopped = collector.stopService();
      await idle.receivesToTheEnd();
      busy.send(xml.slice(50));
      expect(await busy.receivesToTheEnd()).toMatch(/HTTP\/1\.1 200 OK.*connection: close.*<Count>1</s);
      await stopped;
      const ms = performance.now() - began;
      expect(await collector.stored()).toHaveLength(2);
      await collector.stop();
      await nats.stop();
      return ms;
    };
    expect(await shortestMs(6_000, msToStop)).toBeLessThan(6_000);
  });

  it('still stores the record of a connection that was already open, and closes that connection', async () => {
    const nats = await startNats();
    const collector = await RunningCollector.start(nats.url);
    const before = await RawConnection.open(collector.port);
    // The connection is accepted once a later one is.
    await collector.count(startRecord());
    const stopped = collector.stopService();
    before.send(post(startRecord({ frontEnd: 'late' })));
    expect(await before.receivesToTheEnd()).toMatch(/^HTTP\/1\.1 200 OK.*connection: close.*<Count>1</is);
    await stopped;
    expect(await collector.stored()).toHaveLength(2);
    await expect(RawConnection.open(collector.port)).rejects.toThrow('ECONNREFUSED');
    await collector.stop();
    await nats.stop();
  });

  it('rejects with an error of the feed what it can no longer store', async () => {
    const nats = await startNats();
    const collector = await RunningCollector.start(nats.url, { COLLECTOR_STORE_MS: '2000' });
    const before = await RawConnection.open(collector.port);
    await eventually('a record in time', () => collector.count(startRecord()).catch(() => undefined));
    await nats.kill();
    const stopped = collector.stopService();
    before.send(post(startRecord({ frontEnd: 'late' })));
    const answer = await before.receivesToTheEnd();
    expect(answer).toMatch(/^HTTP\/1\.1 503 .*<Error><Code>unavailable<\/Code>/is);
    expect(answer).toMatch(/^retry-after: 2\r$/im);
    expect(answer).toMatch(/^connection: close\r$/im);
    await stopped;
    await nats.restart();
    await collector.stop();
    await nats.stop();
  });
});
