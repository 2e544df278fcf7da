import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { shortestMs } from '@ringdown/testing/timing';
import { postHead, RawConnection } from './raw-connection.js';
import { RunningCollector, startRecord } from './running-collector.js';

const LINE = 'PROXY TCP4 192.0.2.40 198.51.100.1 40000 8080\r\n';

function post(xml: string): string {
  return postHead({ 'Content-Length': Buffer.byteLength(xml) }) + xml;
}

describe('a collector behind a load balancer', () => {
  const started = new Started();
  let nats: TestNats;
  let collector: RunningCollector;

  beforeAll(async () => {
    nats = started.add(await startNats());
    const env = { COLLECTOR_PROXY_PROTOCOL: 'on', COLLECTOR_ALLOW: '192.0.2.0/24,2001:db8::/32,127.0.0.1' };
    collector = started.add(await RunningCollector.start(nats.url, env));
  });
  afterAll(() => started.stopAll());

  async function addressOfRefused(line: string, name: string): Promise<string | undefined> {
    const connection = await RawConnection.open(collector.port);
    connection.send(`${line}${post(`<${name}/>`)}`);
    expect(await connection.receives(/<Code>/)).toMatch(/^HTTP\/1\.1 400 .*<Code>unknown-root</s);
    connection.end();
    const kept = await eventually('the refused body', async () => {
      return (await collector.rejected()).find(({ body }) => body === `<${name}/>`);
    });
    return kept.remoteAddress;
  }

  it('knows the client address of rejected records', async () => {
    expect(await addressOfRefused(LINE, 'four')).toBe('192.0.2.40');
    expect(await addressOfRefused('PROXY TCP6 2001:db8::7 2001:db8::1 40000 8080\r\n', 'six')).toBe('2001:db8::7');
  });

  it('uses the address of the balancer for a line with UNKNOWN', async () => {
    expect(await addressOfRefused('PROXY UNKNOWN\r\n', 'own')).toBe('127.0.0.1');
  });

  it('accepts several records on one connection, with the line in pieces or together with what follows', async () => {
    for (const pieces of [[LINE], LINE.split(''), [LINE.slice(0, 20), LINE.slice(20)]]) {
      const connection = await RawConnection.open(collector.port);
      for (const piece of pieces) {
        connection.send(piece);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      connection.send(post(startRecord()));
      await connection.receives(/<Count>/);
      connection.send(post(startRecord()));
      expect(await connection.receives(/(<Count>.*){2}/s)).toMatch(/^HTTP\/1\.1 200 OK.*HTTP\/1\.1 200 OK/s);
      connection.end();
    }
    const together = await RawConnection.open(collector.port);
    together.send(LINE + post(startRecord()) + post(startRecord()));
    expect(await together.receives(/(<Count>.*){2}/s)).toMatch(/^HTTP\/1\.1 200 OK.*HTTP\/1\.1 200 OK/s);
    together.end();
  });

  it.each([
    ['no line', post(startRecord())],
    ['an endless line', `PROXY TCP4 ${'1'.repeat(200)}`],
    ['a line of another form', 'PROXY TCP4 192.0.2.40\r\n'],
    ['a line without an address', 'PROXY TCP4 here 198.51.100.1 1 2\r\n'],
    ['version 2', '\r\n\r\n\0\r\nQUIT\n!\x11\0\x0c'],
  ])('rejects %s and closes the connection', async (_what, text) => {
    const before = await collector.metric('ringdown_collector_refused_total{code="bad-request"}');
    const connection = await RawConnection.open(collector.port);
    connection.send(text);
    expect(await connection.receivesToTheEnd()).toMatch(/^HTTP\/1\.1 400 .*<Code>bad-request</s);
    expect(await collector.metric('ringdown_collector_refused_total{code="bad-request"}')).toBe(before + 1);
  });

  it('waits for the line no longer than for a request', async () => {
    const env = { COLLECTOR_PROXY_PROTOCOL: 'on', COLLECTOR_REQUEST_SECONDS: '1' };
    const hasty = started.add(await RunningCollector.start(nats.url, env));
    const connection = await RawConnection.open(hasty.port);
    connection.send('PROXY ');
    expect(await connection.receivesToTheEnd()).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('is not affected by connections that end before, in or after their line', async () => {
    for (const piece of ['', 'PROXY TCP4', 'rubbish\r\n', LINE]) {
      const connection = await RawConnection.open(collector.port);
      connection.send(piece);
      connection.end();
    }
    expect(await addressOfRefused(LINE, 'after')).toBe('192.0.2.40');
  });

  it('stops at once while a connection has not sent anything', async () => {
    const msToStop = async (): Promise<number> => {
      const own = started.add(await RunningCollector.start(nats.url, { COLLECTOR_PROXY_PROTOCOL: 'on' }));
      await RawConnection.open(own.port);
      const before = performance.now();
      await own.stopService();
      return performance.now() - before;
    };
    expect(await shortestMs(6_000, msToStop)).toBeLessThan(6_000);
  });
});
