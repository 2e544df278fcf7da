import { freePort } from '@ringdown/embedded';
import { eventually } from '@ringdown/testing/eventually';
import { Pebble, type PebbleOptions } from '@ringdown/testing/servers/pebble';
import { SmallDisk } from '@ringdown/testing/small-disk';
import { Started } from '@ringdown/testing/started';
import { jest } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generate } from 'selfsigned';
import { CertifiedServer, HOST, type CertifiedOptions } from './certified-server.js';

jest.setTimeout(180_000);

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Requests are more: now and then one is repeated with another nonce. */
const NEW_ORDER = /Added order/;

describe('a certificate that an authority does not issue', () => {
  const parent = mkdtempSync(join(tmpdir(), 'ringdown-acme-failures-'));
  let started: Started;
  let folders = 0;

  beforeEach(() => (started = new Started()));
  afterEach(() => started.stopAll());
  afterAll(() => rmSync(parent, { recursive: true, force: true }));

  async function authority(options: Partial<PebbleOptions> = {}): Promise<{ pebble: Pebble; port: number }> {
    const port = await freePort();
    return { pebble: started.add(await Pebble.start({ httpPort: port, tlsPort: port, ...options })), port };
  }

  async function serve(options: Omit<CertifiedOptions, 'folder'> & { folder?: string }): Promise<CertifiedServer> {
    return started.add(await CertifiedServer.start({ folder: join(parent, String(folders++)), ...options }));
  }

  async function failure(server: CertifiedServer): Promise<string> {
    await eventually('the failure', async () => (await server.failedAttempts()) > 0 || undefined);
    return server.state();
  }

  function issued(server: CertifiedServer): Promise<boolean> {
    return eventually('the certificate', () => server.isIssued());
  }

  it('leaves the first one in use while the authority is away, and comes when it is back', async () => {
    const { pebble, port } = await authority();
    await pebble.kill();
    const server = await serve({ authority: pebble, port });
    expect(await failure(server)).toMatch(
      /cannot be reached: .*ECONNREFUSED.*; let this machine connect to the host of ACME_DIRECTORY/,
    );
    expect(await server.isIssued()).toBe(false);
    await pebble.run();
    await sleep(500);
    // Not before the pause is over.
    expect(pebble.lines(NEW_ORDER)).toBe(0);
    server.aheadMs = MINUTE;
    await issued(server);
    await eventually('readiness', async () => (await server.state()) === 'ok' || undefined);
    expect(await server.failedAttempts()).toBe(0);
  });

  it('leaves the last one in use when it is not renewed', async () => {
    const { pebble, port } = await authority({ lifetime: (90 * DAY) / 1_000 });
    const server = await serve({ authority: pebble, port });
    await issued(server);
    const before = await server.shown();
    await pebble.kill();
    server.aheadMs = 61 * DAY;
    expect(await failure(server)).toContain('cannot be reached');
    expect((await server.shown()).fingerprint256).toBe(before.fingerprint256);
    await pebble.run();
    server.aheadMs += MINUTE;
    await eventually(
      'the next one',
      async () => (await server.shown()).fingerprint256 !== before.fingerprint256 || undefined,
    );
  });

  it('is asked for again after longer and longer pauses when the name does not lead here', async () => {
    const { pebble, port } = await authority({ tlsPort: await freePort() });
    const server = await serve({ authority: pebble, port });
    expect(await failure(server)).toMatch(
      /the check of uc\.example\.org has failed: .*; lead the name to this machine, and its port 80/,
    );
    for (const [pause, orders] of [
      [0, 1],
      [MINUTE, 2],
      [MINUTE, 2],
      [9 * MINUTE, 3],
      [99 * MINUTE, 3],
    ] as const) {
      server.aheadMs += pause;
      await eventually('the attempt', () => pebble.lines(NEW_ORDER) === orders || undefined);
      await eventually('its end', async () => (await server.failedAttempts()) === orders || undefined);
      await sleep(400);
      expect(pebble.lines(NEW_ORDER)).toBe(orders);
    }
  });

  it.each<[string, Partial<PebbleOptions>, CertifiedOptions['choice'], RegExp]>([
    [
      'a name that it does not certify',
      { blocked: [HOST] },
      {},
      /rejectedIdentifier|policy.*; remove the name from ACME_HOSTS/i,
    ],
    [
      'terms that nobody has agreed to',
      {},
      { termsAgreed: false },
      /terms of service: .*; read them, and set ACME_TERMS=agreed/,
    ],
    [
      'an external account that is missing',
      {
        externalAccount: { kid: 'kid-1', hmacKey: 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W' },
      },
      {},
      /; set ACME_EAB_KEY_ID and ACME_EAB_HMAC_KEY/,
    ],
    ['a server that is not trusted', {}, { ca: undefined }, /; set ACME_CA_FILE to the root of the authority/],
  ])('names the remedy for %s', async (_what, options, choice, message) => {
    const { pebble, port } = await authority(options);
    const server = await serve({ authority: pebble, port, choice });
    expect(await failure(server)).toMatch(message);
    expect(await server.isIssued()).toBe(false);
  });

  it('names the remedy for a name without an address, and for another program at it', async () => {
    const { pebble, port } = await authority();
    await pebble.setAddressOfNames('');
    const server = await serve({ authority: pebble, port });
    expect(await failure(server)).toMatch(/the check of uc\.example\.org has failed: Could not resolve/);
    await server.stop();
    const other = createServer((_request, response) => response.end('another program')).listen(port, '127.0.0.1');
    await once(other, 'listening');
    await pebble.setAddressOfNames('127.0.0.1');
    const elsewhere = await serve({ authority: pebble, port: await freePort(), choice: { challenge: 'http-01' } });
    expect(await failure(elsewhere)).toMatch(/; lead the name to this machine/);
    other.close();
    other.closeAllConnections();
  });

  it('is issued to an external account', async () => {
    const externalAccount = {
      kid: 'kid-1',
      hmacKey: 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W',
    };
    const { pebble, port } = await authority({ externalAccount });
    expect(await issued(await serve({ authority: pebble, port, choice: { eab: externalAccount } }))).toBe(true);
  });

  it('is not ordered twice when the disk becomes full before it is there', async () => {
    const disk = started.add(SmallDisk.mount(2));
    const { pebble, port } = await authority();
    const folder = disk.folder;
    const first = await serve({ authority: pebble, port, folder });
    first.onChallenge(() => disk.fill());
    expect(await failure(first)).toMatch(/certificate\.pem cannot be written: ENOSPC.*; make room/);
    expect(await first.isIssued()).toBe(false);
    await first.stop();
    disk.freeSpace();
    // As after a kill: only the files know the order.
    await issued(await serve({ authority: pebble, port, folder }));
    expect(pebble.lines(NEW_ORDER)).toBe(1);
  });

  it('is not asked for again and again when the clock is wrong, and all is well when it is right', async () => {
    const { pebble, port } = await authority({ lifetime: (90 * DAY) / 1_000 });
    const server = await serve({ authority: pebble, port });
    await issued(server);
    server.aheadMs = 400 * DAY;
    expect(await failure(server)).toMatch(
      /the new certificate is valid from .*, and the clock here is wrong; correct the clock/,
    );
    await sleep(1_000);
    expect(pebble.lines(NEW_ORDER)).toBe(2);
    server.aheadMs = 0;
    await eventually('readiness', async () => (await server.state()) === 'ok' || undefined);
    server.aheadMs = -400 * DAY;
    await sleep(500);
    expect([await server.state(), pebble.lines(NEW_ORDER)]).toEqual(['ok', 2]);
  });

  it('is not asked for before the time that the authority names, also after a restart', async () => {
    const asked: string[] = [];
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'busy' }], {
      keyType: 'ec',
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 7 as const, ip: '127.0.0.1' }] }],
    });
    const busy = createSecureServer({ cert, key }, ({ url = '' }, response) => {
      asked.push(url);
      const head = { 'content-type': 'application/problem+json', 'retry-after': '7200' };
      const type = 'urn:ietf:params:acme:error:rateLimited';
      response.writeHead(429, head).end(JSON.stringify({ type, detail: 'too many requests' }));
    }).listen(0, '127.0.0.1');
    await once(busy, 'listening');
    const { port: at }: { port?: number } = Object(busy.address());
    const { pebble, port } = await authority();
    const choice = { directory: `https://127.0.0.1:${at}/directory`, ca: cert };
    const folder = join(parent, 'busy');
    const first = await serve({ authority: pebble, port, folder, choice });
    expect(await failure(first)).toMatch(
      /refuses: too many requests; wait: it is tried again when the authority allows it/,
    );
    first.aheadMs = 110 * MINUTE;
    await sleep(500);
    await first.stop();
    const second = await serve({ authority: pebble, port, folder, choice });
    await sleep(500);
    expect(asked).toEqual(['/directory']);
    second.aheadMs = 120 * MINUTE;
    await eventually('the second request', () => asked.length === 2 || undefined);
    busy.close();
    busy.closeAllConnections();
  });

  it('ends at once while it is asked for', async () => {
    const { pebble, port } = await authority({ env: { PEBBLE_VA_NOSLEEP: '0', PEBBLE_VA_SLEEPTIME: '60' } });
    const server = await serve({ authority: pebble, port });
    await eventually('the order', () => pebble.lines(NEW_ORDER) === 1 || undefined);
    const began = performance.now();
    await server.stop();
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(await server.failedAttempts()).toBe(0);
  });
});
