import { eventually } from '@ringdown/testing/eventually';
import { startNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authority, signed, writeKeyPair, type KeyPair } from './certificates.js';
import { postHead, RawConnection } from './raw-connection.js';
import { configurationRequest, headerRecord, RunningCollector, startRecord } from './running-collector.js';
import { securePost, type SecureAnswer } from './secure-post.js';

describe('senders of records', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-senders-'));
  const started = new Started();
  let natsUrl: string;
  let ours: KeyPair;
  let tls: Record<string, string>;

  beforeAll(async () => {
    natsUrl = started.add(await startNats()).url;
    ours = await authority('ours');
    const server = writeKeyPair(folder, 'server', await signed('localhost', ours));
    writeFileSync(join(folder, 'clients.pem'), ours.cert);
    tls = {
      COLLECTOR_HTTPS_PORT: '0',
      COLLECTOR_TLS_CERT: server.cert,
      COLLECTOR_TLS_KEY: server.key,
      COLLECTOR_CLIENT_CA: join(folder, 'clients.pem'),
    };
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true });
  });

  async function start(env: Record<string, string> = {}): Promise<RunningCollector> {
    return started.add(await RunningCollector.start(natsUrl, env));
  }

  function sendersFile(name: string, content: unknown): Record<string, string> {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(content));
    return { COLLECTOR_SENDERS: file };
  }

  function to(collector: RunningCollector, body: string, own: KeyPair): Promise<SecureAnswer> {
    return securePost({ port: collector.httpsPort, ca: ours.cert, body, own });
  }

  async function sendersOf(collector: RunningCollector, callId: string): Promise<unknown> {
    const found = (await collector.stored()).find(({ record }) => record.connection.callId === callId);
    return found && [found.remoteAddress, found.certificateSubject];
  }

  it('are kept with each record: their address, or that of the balancer, and the certificate subject', async () => {
    const collector = await start(tls);
    await collector.count(startRecord({ callId: 'plain' }));
    expect(await sendersOf(collector, 'plain')).toEqual(['127.0.0.1', undefined]);
    await to(collector, startRecord({ callId: 'secure' }), await signed('fe1.example.test', ours));
    expect(await sendersOf(collector, 'secure')).toEqual(['127.0.0.1', 'CN=fe1.example.test']);
    const behind = await start({ COLLECTOR_PROXY_PROTOCOL: 'on', COLLECTOR_ALLOW: '192.0.2.0/24' });
    const connection = await RawConnection.open(behind.port);
    const xml = startRecord({ callId: 'balanced' });
    connection.send(`PROXY TCP4 192.0.2.40 198.51.100.1 1 2\r\n${postHead({ 'Content-Length': xml.length })}${xml}`);
    await connection.receives(/<Count>/);
    connection.end();
    expect(await sendersOf(collector, 'balanced')).toEqual(['192.0.2.40', undefined]);
  });

  it('may report for the front ends that the operator lists for their certificate or address', async () => {
    const certificates = { 'CN=fe1.example.test': ['fe1.example.test'] };
    const senders = sendersFile('mixed.json', { certificates, addresses: { '127.0.0.0/8': ['fe2.example.test'] } });
    const collector = await start({ ...tls, ...senders });
    const fe1 = await signed('fe1.example.test', ours);
    const status = async (frontEnd: string): Promise<readonly unknown[]> => [
      (await to(collector, startRecord({ frontEnd }), fe1)).status,
      (await collector.post(startRecord({ frontEnd }))).status,
    ];
    expect(await status('fe1.example.test')).toEqual([200, 403]);
    expect(await status('FE2.example.test')).toEqual([403, 200]);
    expect(await status('fe3.example.test')).toEqual([403, 403]);
    const response = await collector.post(configurationRequest('fe1.example.test'));
    expect([response.status, await response.text()]).toEqual([
      403,
      expect.stringMatching(/<Code>front-end-not-allowed<\/Code><Reason>.*fe1\.example\.test/),
    ]);
    expect(await collector.metric('ringdown_collector_refused_total{code="front-end-not-allowed"}')).toBe(5);
    const kept = await eventually('the refused records', async () => {
      const rejected = (await collector.rejected()).filter(({ code }) => code === 'front-end-not-allowed');
      return rejected.length === 5 && rejected;
    });
    expect(new Set(kept.map((each) => `${each.remoteAddress} ${each.certificateSubject ?? ''}`))).toEqual(
      new Set(['127.0.0.1 ', '127.0.0.1 CN=fe1.example.test']),
    );
  });

  it('have replies of their own if their records name a pool or nothing', async () => {
    const collector = await start(tls);
    const fe1 = await signed('fe1.example.test', ours);
    const countTo = async (body: string): Promise<string> => (await to(collector, body, fe1)).body;
    const pool = headerRecord('C', '<SourcePool>Pool1</SourcePool>');
    expect(await collector.count(pool)).toBe(1);
    expect(await collector.count(pool.replace('Pool1', 'POOL1'))).toBe(2);
    expect(await collector.count(headerRecord('A'))).toBe(1);
    expect(await countTo(headerRecord('A'))).toContain('<Count>1</Count>');
    expect(await countTo(headerRecord('D', '<FrontEnds>fe1,fe2</FrontEnds>'))).toContain('<Count>2</Count>');
    expect(await collector.count(headerRecord('A'))).toBe(2);
  });

  it('may name only the pools that the operator lists, and always report for themselves', async () => {
    const collector = await start(sendersFile('pools.json', { addresses: { '127.0.0.1': ['pool1'] } }));
    const status = async (pool: string): Promise<number> =>
      (await collector.post(headerRecord('C', `<SourcePool>${pool}</SourcePool>`))).status;
    expect([await status('pool1'), await status('pool2')]).toEqual([200, 403]);
    expect((await collector.post(headerRecord('A'))).status).toBe(200);
  });

  it('are checked by the changed file on connections that are already open', async () => {
    const senders = sendersFile('changing.json', { addresses: { '127.0.0.1': ['fe1'] } });
    const collector = await start(senders);
    const status = async (): Promise<number> => (await collector.post(startRecord({ frontEnd: 'fe2' }))).status;
    expect(await status()).toBe(403);
    sendersFile('changing.json', { addresses: { '127.0.0.1': ['fe2'] } });
    await eventually('the change', async () => (await status()) === 200);
    expect((await collector.post(startRecord({ frontEnd: 'fe1' }))).status).toBe(403);
  });

  it('must be listed in a readable file', async () => {
    const senders = sendersFile('wrong.json', { addresses: { fe1: [] } });
    await expect(start(senders)).rejects.toThrow('COLLECTOR_SENDERS has a key "fe1"');
  });
});

describe('unknown front ends', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-front-ends-'));
  const started = new Started();
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true });
  });

  it('are rejected beyond the limit, across all collectors and restarts, but not known or listed ones', async () => {
    const { url } = started.add(await startNats());
    const file = join(folder, 'senders.json');
    writeFileSync(file, JSON.stringify({ addresses: { '127.0.0.1': ['*', 'named.example.test'] } }));
    const env = { COLLECTOR_MAX_FRONT_ENDS: '3', COLLECTOR_SENDERS: file };
    const first = await RunningCollector.start(url, env);
    const other = started.add(await RunningCollector.start(url, env));
    const status = async (frontEnd: string, to = first): Promise<number> =>
      (await to.post(startRecord({ frontEnd }))).status;
    expect([await status('real'), await status('one'), await status('two')]).toEqual([200, 200, 200]);
    expect([await status('three'), await status('REAL'), await status('named.example.test')]).toEqual([403, 200, 200]);
    await eventually('the other collector to hear of them', async () => {
      return (await other.metric('ringdown_collector_front_ends')) === 3;
    });
    expect([await status('three', other), await status('one', other)]).toEqual([403, 200]);
    await first.stop();
    const again = started.add(await RunningCollector.start(url, env));
    const answer = await again.post(startRecord({ frontEnd: 'four' }));
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('<Code>too-many-front-ends<')]);
    expect(await status('real', again)).toBe(200);
    expect(await again.metric('ringdown_collector_refused_total{code="too-many-front-ends"}')).toBe(1);
    expect(await again.metric('ringdown_collector_front_ends_limit')).toBe(3);
  });
});

describe('connections of one address', () => {
  const started = new Started();
  afterAll(() => started.stopAll());

  it('are dropped beyond the limit, those of others are accepted, also behind a load balancer', async () => {
    const { url } = started.add(await startNats());
    const env = {
      COLLECTOR_PROXY_PROTOCOL: 'on',
      COLLECTOR_ALLOW: '192.0.2.0/24',
      COLLECTOR_MAX_CONNECTIONS_PER_ADDRESS: '2',
    };
    const collector = started.add(await RunningCollector.start(url, env));
    const open = async (address: string): Promise<RawConnection> => {
      const connection = await RawConnection.open(collector.port);
      connection.send(`PROXY TCP4 ${address} 198.51.100.1 1 2\r\nPOST / HTTP/1.1\r\n`);
      return connection;
    };
    const held = [await open('192.0.2.1'), await open('192.0.2.1')];
    expect(await (await open('192.0.2.1')).receivesToTheEnd()).toBe('');
    expect(await collector.metric('ringdown_collector_connections_dropped_total{limit="address"}')).toBe(1);
    const other = await open('192.0.2.2');
    other.send('Host: x\r\nContent-Length: 0\r\n\r\n');
    expect(await other.receives(/<Count>/)).toMatch(/^HTTP\/1\.1 200 /);
    for (const connection of held) connection.end();
    await eventually('room for the address', async () => {
      const connection = await open('192.0.2.1');
      connection.send('Host: x\r\nContent-Length: 0\r\n\r\n');
      await eventually('an answer or the end', () => connection.closed || connection.received.includes('<Count>'));
      return connection.received.includes('<Count>');
    });
  });
});
