import { eventually } from '@ringdown/testing/eventually';
import { startNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import pino from 'pino';
import { authority, signed, writeKeyPair, type KeyPair } from './certificates.js';
import { configurationRequest, countIn, RunningCollector, startRecord } from './running-collector.js';
import { securePost, type SecureAnswer } from './secure-post.js';

describe('a collector with HTTPS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-feed-tls-'));
  const started = new Started();
  let log = '';
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done): void {
      log += chunk.toString();
      done();
    },
  });
  const logger = pino({ level: 'warn' }, sink);
  let natsUrl: string;
  let ours: KeyPair;
  let foreign: KeyPair;
  let server: KeyPair;
  let tls: Record<string, string>;

  beforeAll(async () => {
    natsUrl = started.add(await startNats()).url;
    [ours, foreign] = await Promise.all([authority('ours'), authority('foreign')]);
    const files = writeKeyPair(folder, 'server', await signed('localhost', ours));
    server = files;
    tls = { COLLECTOR_HTTPS_PORT: '0', COLLECTOR_TLS_CERT: files.cert, COLLECTOR_TLS_KEY: files.key };
  });
  afterEach(() => {
    log = '';
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true });
  });

  function clientCa(cert: string): Record<string, string> {
    writeFileSync(join(folder, 'clients.pem'), cert);
    return { COLLECTOR_CLIENT_CA: join(folder, 'clients.pem') };
  }

  function to(collector: RunningCollector, body: string, own?: KeyPair): Promise<SecureAnswer> {
    return securePost({ port: collector.httpsPort, ca: ours.cert, body, ...(own ? { own } : {}) });
  }

  it('accepts records over both, with one count, and returns to each sender its URL for records', async () => {
    const collector = started.add(await RunningCollector.start(natsUrl, tls));
    expect(await collector.count(startRecord({ frontEnd: 'both' }))).toBe(1);
    const answer = await to(collector, startRecord({ frontEnd: 'both' }));
    expect([answer.status, countIn(answer.body)]).toEqual([200, 2]);
    const configuration = await to(collector, configurationRequest());
    expect(configuration.body).toContain(`>https://localhost:${collector.httpsPort}/RequestMessage<`);
    expect(await collector.stored()).toHaveLength(2);
  });

  it('rejects plain HTTP on the HTTPS port, and logs that', async () => {
    const collector = started.add(await RunningCollector.start(natsUrl, tls, logger));
    await expect(fetch(`http://127.0.0.1:${collector.httpsPort}/`, { method: 'POST' })).rejects.toThrow('fetch failed');
    await eventually('the handshake to be counted', async () => {
      return (await collector.metric('ringdown_collector_tls_failures_total')) === 1;
    });
    expect(log).toMatch(/http request.*a TLS handshake with a front end failed/);
    expect((await to(collector, '')).status).toBe(200);
  });

  it('does not serve plain HTTP when that is off', async () => {
    const collector = started.add(await RunningCollector.start(natsUrl, { ...tls, COLLECTOR_PLAIN_HTTP: 'off' }));
    expect(collector.base).toMatch(/^https:/);
    expect((await to(collector, startRecord())).status).toBe(200);
  });

  it('requires a certificate when a client CA is configured, and rejects others', async () => {
    const env = { ...tls, ...clientCa(ours.cert), COLLECTOR_PLAIN_HTTP: 'off' };
    const collector = started.add(await RunningCollector.start(natsUrl, env, logger));
    expect((await to(collector, startRecord(), await signed('fe1', ours))).status).toBe(200);
    const refused = [undefined, await signed('fe1', foreign), await signed('fe1', ours, new Date('2001-01-01'))];
    const began = performance.now();
    for (const own of refused)
      await expect(to(collector, startRecord(), own)).rejects.toThrow(/alert|hang up|ECONNRESET/);
    await eventually('the handshakes to be counted', async () => {
      return (await collector.metric('ringdown_collector_tls_failures_total')) === 3;
    });
    const tenSeconds = Math.ceil((performance.now() - began) / 10_000);
    expect(log.match(/a TLS handshake with a front end failed/g)?.length).toBeLessThanOrEqual(tenSeconds);
    expect(log).toMatch(/"reason":"peer did not return a certificate"/);
    expect(log).toContain('"remoteAddress":"127.0.0.1"');
    expect(await collector.metric('ringdown_collector_records_total{kind="startOrUpdate"}')).toBe(1);
  });

  it('accepts a configured certificate as its own signer, for front ends with self-signed certificates', async () => {
    const self = await signed('fe7');
    const collector = started.add(await RunningCollector.start(natsUrl, { ...tls, ...clientCa(self.cert) }));
    expect((await to(collector, startRecord(), self)).status).toBe(200);
  });

  it('uses a renewed certificate without a restart, and keeps the old one while the new one is broken', async () => {
    const files = writeKeyPair(folder, 'renewed', await signed('localhost', ours));
    const env = { ...tls, COLLECTOR_TLS_CERT: files.cert, COLLECTOR_TLS_KEY: files.key };
    const collector = started.add(await RunningCollector.start(natsUrl, env, logger));
    const { serialNumber: first } = await to(collector, '');
    writeFileSync(files.cert, 'nonsense');
    await eventually('the complaint', () => log.includes('the previous content stays in use'));
    expect((await to(collector, '')).serialNumber).toBe(first);
    writeKeyPair(folder, 'renewed', await signed('localhost', ours));
    const second = await eventually('the new certificate', async () => {
      const { serialNumber } = await to(collector, '');
      return serialNumber !== first && serialNumber;
    });
    expect(second).toMatch(/^[0-9A-F]+$/);
  });

  it('knows the client address of a request behind a load balancer', async () => {
    const env = { ...tls, COLLECTOR_PROXY_PROTOCOL: 'on', COLLECTOR_ALLOW: '192.0.2.40' };
    const collector = started.add(await RunningCollector.start(natsUrl, env));
    const from = (address: string): Promise<SecureAnswer> =>
      securePost({
        port: collector.httpsPort,
        ca: ours.cert,
        body: startRecord(),
        proxyLine: `PROXY TCP4 ${address} 198.51.100.1 1 2\r\n`,
      });
    expect((await from('192.0.2.40')).status).toBe(200);
    expect((await from('192.0.2.41')).status).toBe(403);
  });

  it('closes an endless handshake as soon as a head would be overdue', async () => {
    const env = { ...tls, COLLECTOR_REQUEST_SECONDS: '1' };
    const collector = started.add(await RunningCollector.start(natsUrl, env, logger));
    const before = performance.now();
    const half = connect(collector.httpsPort, '127.0.0.1');
    expect(await text(half)).toBe('');
    // Two thirds of a second, without the five seconds in which a last reply may be read.
    expect(performance.now() - before).toBeLessThan(5_000);
    expect(log).toContain('a TLS handshake with a front end failed');
  });

  it.each<[string, () => Record<string, string>, RegExp]>([
    ['without a certificate', () => ({ COLLECTOR_HTTPS_PORT: '0' }), /needs COLLECTOR_TLS_CERT and COLLECTOR_TLS_KEY/],
    ['with no such file', () => ({ ...tls, COLLECTOR_TLS_KEY: '/no/such' }), /COLLECTOR_TLS_KEY: ENOENT/],
    ['with a key of another', () => ({ ...tls, COLLECTOR_TLS_CERT: otherCert() }), /not a certificate and its key/],
    [
      'with a file of signers that contains no certificate',
      () => ({ ...tls, ...clientCa('hello') }),
      /COLLECTOR_CLIENT_CA.*not contain a certificate/,
    ],
    [
      'with nothing to serve',
      () => ({ COLLECTOR_PLAIN_HTTP: 'off' }),
      /COLLECTOR_HTTPS_PORT is not set: the feed would have no port/,
    ],
    [
      'with settings of an HTTPS that it does not serve',
      () => ({ COLLECTOR_TLS_CERT: '/any', COLLECTOR_TLS_KEY: '/any', ...clientCa('hello') }),
      /^COLLECTOR_CLIENT_CA has no effect without COLLECTOR_HTTPS_PORT\nCOLLECTOR_TLS_CERT has .*\nCOLLECTOR_TLS_KEY has/,
    ],
  ])('does not start %s, and reports why', async (_what, env, reason) => {
    await expect(RunningCollector.start(natsUrl, env())).rejects.toThrow(reason);
  });

  function otherCert(): string {
    return writeKeyPair(folder, 'other', { cert: ours.cert, key: server.key }).cert;
  }
});
