import { startNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import pino from 'pino';
import { postHead, RawConnection } from './raw-connection.js';
import { makeFeedStreams } from './feed-owner.js';
import { RunningCollector, startRecord } from './running-collector.js';

const makeEnv = join(import.meta.dirname, '../../../../deploy/make-env.sh');

/** The first and the last address of each private network, and the public addresses next to them. */
const PRIVATE =
  '127.0.0.0 127.255.255.255 10.0.0.0 10.255.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255 169.254.0.0 ' +
  '169.254.255.255 ::1 fc00:: fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff fe80:: febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff';
const PUBLIC =
  '126.255.255.255 128.0.0.0 9.255.255.255 11.0.0.0 172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 169.253.255.255 ' +
  '169.255.0.0 ::2 fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff fe00:: fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff fec0:: ' +
  '203.0.113.7 2001:db8::1';

/** The COLLECTOR_ALLOW of a new deployment with containers. */
function networksOfMakeEnv(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-make-env-'));
  try {
    const file = join(folder, '.env');
    execFileSync('sh', [makeEnv], { env: { PATH: process.env['PATH'], RINGDOWN_ENV_FILE: file }, stdio: 'pipe' });
    return /^COLLECTOR_ALLOW=(.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The status of one request over a connection whose balancer sends this line. */
async function statusFor({ port }: RunningCollector, line: string): Promise<string | undefined> {
  const connection = await RawConnection.open(port);
  const xml = startRecord();
  connection.send(`PROXY ${line}\r\n${postHead({ 'Content-Length': xml.length })}${xml}`);
  const [, status] = /^HTTP\/1\.1 (\d+) /.exec(await connection.receives(/^HTTP\/1\.1 \d+ /)) ?? [];
  connection.end();
  return status;
}

describe('a collector with a list of allowed addresses', () => {
  const started = new Started();
  let natsUrl: string;
  let log = '';
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done): void {
      log += chunk.toString();
      done();
    },
  });

  async function collectorFor(
    networks: string | undefined,
    env: Record<string, string> = {},
  ): Promise<RunningCollector> {
    const logger = pino({ level: 'warn' }, sink);
    const allowed = networks === undefined ? {} : { COLLECTOR_ALLOW: networks };
    return started.add(await RunningCollector.start(natsUrl, { ...env, ...allowed }, logger));
  }

  beforeAll(async () => {
    natsUrl = started.add(await startNats()).url;
    await makeFeedStreams(natsUrl);
  });
  beforeEach(() => {
    log = '';
  });
  afterAll(() => started.stopAll());

  it('accepts requests from those addresses', async () => {
    const collector = await collectorFor('192.0.2.0/24, 127.0.0.0/8');
    expect(await collector.count(startRecord())).toBe(1);
    expect(log).toBe('');
  });

  it('rejects all requests from other addresses, and logs their address once', async () => {
    const collector = await collectorFor('192.0.2.0/24');
    const before = await collector.stored();
    for (const document of [startRecord(), '', '<GetConfiguration/>', 'rubbish']) {
      const response = await collector.post(document);
      expect([response.status, response.headers.get('connection')]).toEqual([403, 'close']);
      expect(await response.text()).toMatch(/^<Error><Code>address-not-allowed<\/Code>/);
    }
    expect(await collector.metric('ringdown_collector_refused_total{code="address-not-allowed"}')).toBe(4);
    expect(await collector.metric('ringdown_collector_probes_total')).toBe(0);
    expect(log.match(/a request from an address that is not allowed was rejected/g)).toHaveLength(1);
    expect(log).toContain('"remoteAddress":"127.0.0.1"');
    expect([await collector.stored(), await collector.rejected()]).toEqual([before, []]);
  });

  it('does not let other addresses send a body first', async () => {
    const collector = await collectorFor('192.0.2.0/24');
    const connection = await RawConnection.open(collector.port);
    connection.send(postHead({ 'Content-Length': 10, Expect: '100-continue' }));
    expect(await connection.receives(/<Error>/)).toMatch(/^HTTP\/1\.1 403 /);
    connection.end();
  });

  it('uses the client address that a load balancer sends', async () => {
    const collector = await collectorFor('192.0.2.40, 2001:db8::/32', { COLLECTOR_PROXY_PROTOCOL: 'on' });
    expect(await statusFor(collector, 'TCP4 192.0.2.40 198.51.100.1 1 2')).toBe('200');
    expect(await statusFor(collector, 'TCP6 2001:db8:7::1 2001:db8::1 1 2')).toBe('200');
    expect(await statusFor(collector, 'TCP4 192.0.2.41 198.51.100.1 1 2')).toBe('403');
    expect(await statusFor(collector, 'UNKNOWN')).toBe('403');
  });

  it.each([
    ['unless it is told otherwise', () => undefined],
    ['with the list that make-env.sh writes', networksOfMakeEnv],
  ])('accepts records from private networks only, %s', async (_when, networks) => {
    const collector = await collectorFor(networks(), { COLLECTOR_HOST: '0.0.0.0', COLLECTOR_PROXY_PROTOCOL: 'on' });
    const statuses = async (addresses: string): Promise<Record<string, string | undefined>> => {
      const found: Record<string, string | undefined> = {};
      for (const address of addresses.split(' ')) {
        const isSix = address.includes(':');
        const to = isSix ? 'TCP6' : 'TCP4';
        found[address] = await statusFor(collector, `${to} ${address} ${isSix ? '::1' : '198.51.100.1'} 1 2`);
      }
      return found;
    };
    const all = (addresses: string, status: string): Record<string, string> =>
      Object.fromEntries(addresses.split(' ').map((address) => [address, status]));
    expect(await statuses(PRIVATE)).toEqual(all(PRIVATE, '200'));
    expect(await statuses(PUBLIC)).toEqual(all(PUBLIC, '403'));
  });

  it('warns at start when the default applies on a reachable port, and not once networks are listed', async () => {
    await collectorFor(undefined, { COLLECTOR_HOST: '0.0.0.0' });
    expect(log.match(/COLLECTOR_ALLOW/g)).toHaveLength(1);
    log = '';
    await collectorFor('192.0.2.0/24', { COLLECTOR_HOST: '0.0.0.0' });
    await collectorFor(undefined);
    expect(log).toBe('');
  });
});
