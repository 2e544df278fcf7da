import { Started, startNats } from '@ringdown/testing';
import { Writable } from 'node:stream';
import pino from 'pino';
import { postHead, RawConnection } from './raw-connection.js';
import { RunningCollector, startRecord } from './running-collector.js';

describe('a collector for some addresses', () => {
  const started = new Started();
  let natsUrl: string;
  let log = '';
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done): void {
      log += chunk.toString();
      done();
    },
  });

  async function collectorFor(networks: string, env: Record<string, string> = {}): Promise<RunningCollector> {
    const logger = pino({ level: 'warn' }, sink);
    return started.add(await RunningCollector.start(natsUrl, { ...env, COLLECTOR_ALLOW: networks }, logger));
  }

  beforeAll(async () => {
    natsUrl = started.add(await startNats()).url;
  });
  beforeEach(() => {
    log = '';
  });
  afterAll(() => started.stopAll());

  it('takes the requests of those', async () => {
    const collector = await collectorFor('192.0.2.0/24, 127.0.0.0/8');
    expect(await collector.count(startRecord())).toBe(1);
    expect(log).toBe('');
  });

  it('refuses those of others, whatever they ask, and tells the operator once whose they are', async () => {
    const collector = await collectorFor('192.0.2.0/24');
    const before = await collector.stored();
    for (const ask of [startRecord(), '', '<GetConfiguration/>', 'rubbish']) {
      const response = await collector.post(ask);
      expect([response.status, response.headers.get('connection')]).toEqual([403, 'close']);
      expect(await response.text()).toMatch(/^<Error><Code>address-not-allowed<\/Code>/);
    }
    expect(await collector.metric('ringdown_collector_refused_total{code="address-not-allowed"}')).toBe(4);
    expect(await collector.metric('ringdown_collector_probes_total')).toBe(0);
    expect(log.match(/a request came from a foreign address/g)).toHaveLength(1);
    expect(log).toContain('"remoteAddress":"127.0.0.1"');
    expect([await collector.stored(), await collector.rejected()]).toEqual([before, []]);
  });

  it('does not let others send a body first', async () => {
    const collector = await collectorFor('192.0.2.0/24');
    const connection = await RawConnection.open(collector.port);
    connection.send(postHead({ 'Content-Length': 10, Expect: '100-continue' }));
    expect(await connection.receives(/<Error>/)).toMatch(/^HTTP\/1\.1 403 /);
    connection.end();
  });

  it('believes what a balancer of connections tells of them', async () => {
    const collector = await collectorFor('192.0.2.40, 2001:db8::/32', { COLLECTOR_PROXY_PROTOCOL: 'on' });
    const statusFor = async (line: string): Promise<string | undefined> => {
      const connection = await RawConnection.open(collector.port);
      const xml = startRecord();
      connection.send(`PROXY ${line}\r\n${postHead({ 'Content-Length': xml.length })}${xml}`);
      const [, status] = /^HTTP\/1\.1 (\d+) /.exec(await connection.receives(/^HTTP\/1\.1 \d+ /)) ?? [];
      connection.end();
      return status;
    };
    expect(await statusFor('TCP4 192.0.2.40 198.51.100.1 1 2')).toBe('200');
    expect(await statusFor('TCP6 2001:db8:7::1 2001:db8::1 1 2')).toBe('200');
    expect(await statusFor('TCP4 192.0.2.41 198.51.100.1 1 2')).toBe('403');
    expect(await statusFor('UNKNOWN')).toBe('403');
  });
});
