import { freePorts, launch, type LaunchedSystem, running, SystemClient } from '@ringdown/testing/launched-system';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { CONSOLE_SITE } from '../src/console.js';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

describe('the console under /console/', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-site-'));
  let system: LaunchedSystem;
  let client: SystemClient;
  beforeAll(async () => {
    const ports = await freePorts();
    await seedDatabase(join(folder, 'database'));
    system = launch({ ...ports, DATA_DIR: folder });
    await running(system);
    client = new SystemClient(folder, ports);
  });
  afterAll(async () => {
    await client?.stop();
    await system?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is listed in the output of the start', () => {
    expect(system.stdout()).toContain(`${client.origin}/console/`);
  });

  it('is one page for all its URLs, revalidated each time and isolated from other origins', async () => {
    const page = readFileSync(join(CONSOLE_SITE, 'index.html'), 'utf8');
    for (const path of ['/console/', '/console/live', '/console/calls/a%2Fb', '/CONSOLE/live', '/console/no.such']) {
      const { status, text, headers } = await client.request(path);
      expect([path, status, text]).toEqual([path, 200, page]);
      expect(headers).toMatchObject({
        'cache-control': 'no-cache',
        'content-security-policy': expect.stringMatching(/^default-src 'none'.*frame-ancestors 'none'$/),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
    }
  });

  it('is the page of each meeting, too, for its guests', async () => {
    const page = readFileSync(join(CONSOLE_SITE, 'index.html'), 'utf8');
    for (const path of ['/meet/alice@example.test/K7ZQ2M9XW4HJR8TC', '/MEET/a%40b.test/K7', '/meet/a/b.js']) {
      const { status, text, headers } = await client.request(path);
      expect([path, status, text]).toEqual([path, 200, page]);
      expect(headers).toMatchObject({
        'cache-control': 'no-cache',
        'content-security-policy': expect.stringMatching(/^default-src 'none'.*frame-ancestors 'none'$/),
        'referrer-policy': 'no-referrer',
      });
    }
    expect((await client.request('/meet/%E0%A4%A')).status).toBe(400);
  });

  it('is reached by a redirect from the path without its slash', async () => {
    const { status, headers } = await client.request('/console');
    expect([status, headers.location]).toEqual([308, '/console/']);
  });

  it('has files that may be cached forever, and returns 404 for other paths in their folder', async () => {
    const [file = ''] = readdirSync(join(CONSOLE_SITE, 'assets')).filter((name) => name.endsWith('.js'));
    const { status, headers } = await client.request(`/console/assets/${file}`);
    expect([status, headers['cache-control']]).toEqual([200, expect.stringContaining('immutable')]);
    expect(headers['content-type']).toMatch(/^(?:text|application)\/javascript/);
    for (const path of ['/console/assets/other.js', '/console/assets/..%2f..%2f..%2fpackage.json']) {
      expect([path, (await client.request(path)).status]).toEqual([path, 404]);
    }
  });

  it('is compressed for clients that accept it', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const answer = await client.request('/console/', { method: 'GET', headers });
    expect(answer.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: expect.stringMatching(/accept-encoding/i),
    });
  });

  it('is small enough to open quickly: the files of the page have less than 400 KB compressed', () => {
    const page = readFileSync(join(CONSOLE_SITE, 'index.html'), 'utf8');
    const named = [...page.matchAll(/\/console\/(assets\/[\w.-]+)/g)].map(([, file = '']) => file);
    const live = readdirSync(join(CONSOLE_SITE, 'assets')).filter((file) => /^live-view.*\.(?:js|css)$/.test(file));
    const files = [...named, ...live.map((file) => `assets/${file}`)];
    expect(files.length).toBeGreaterThan(3);
    const sizes = files.map((file) => readFileSync(join(CONSOLE_SITE, `${file}.gz`)).length);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(400_000);
  });

  it('rejects a malformed path, and continues to work', async () => {
    expect((await client.request('/console/%E0%A4%A')).status).toBe(400);
    expect((await client.request('/console/')).status).toBe(200);
  });
});
