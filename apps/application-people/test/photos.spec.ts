import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { SMALL_JPEG, SMALL_PNG } from '@ringdown/testing/small-photos';
import { Started } from '@ringdown/testing/started';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  startApplicationPeople,
  startDiscoveryAuth,
  fetchUserToken,
  writePeople,
  type RunningService,
} from './running-services.js';
import { resourceHref, WebClient, type AnyResource } from './web-client.js';

const folder = mkdtempSync(join(tmpdir(), 'ringdown-photos-'));
const env = { PEOPLE_FILE: join(folder, 'people.json'), DATA_DIR: folder };
const started = new Started();
let nats: TestNats;
let auth: RunningService;
let service: RunningService;
let alice: WebClient;
let application: AnyResource;

beforeAll(async () => {
  await writePeople(env.PEOPLE_FILE, [
    { user: 'alice', name: 'Alice Archer' },
    { user: 'bob', name: 'Bob Baker' },
    { user: 'cid', name: 'Cid Cooper' },
  ]);
  mkdirSync(join(folder, 'photos'));
  writeFileSync(join(folder, 'photos', 'alice@example.test.png'), SMALL_PNG);
  writeFileSync(join(folder, 'photos', 'bob@example.test.jpg'), SMALL_JPEG);
  nats = started.add(await startNats());
  auth = started.add(await startDiscoveryAuth(nats.urlOf('discovery-auth'), env));
  service = started.add(await startApplicationPeople(nats.urlOf('application-people'), env));
  alice = new WebClient(service.base, await fetchUserToken(auth.base, 'alice'));
  application = await alice.create('photos');
});
afterAll(async () => {
  await started.stopAll();
  rmSync(folder, { recursive: true });
});

async function photoLinkOf(user: string): Promise<string> {
  return resourceHref(await alice.read(`${resourceHref(application)}/people/${user}@example.test`), 'contactPhoto');
}

describe('the photo of a person', () => {
  it('is at the link of the contact, and may be cached', async () => {
    const response = await alice.get(await photoLinkOf('bob'), { accept: 'image/*', 'accept-encoding': 'gzip' });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(response.headers.get('cache-control')).toBe('private, max-age=3600');
    expect(Date.parse(response.headers.get('expires') ?? '')).toBeGreaterThan(Date.now() + 3_000_000);
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(Buffer.from(await response.arrayBuffer())).toEqual(SMALL_JPEG);
  });

  it('is not sent to a client that has it', async () => {
    const path = await photoLinkOf('bob');
    const etag = (await alice.get(path)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"\d+"$/);
    const unchanged = await alice.get(`${path}?size=HR48X48`, { 'if-none-match': etag });
    expect([unchanged.status, await unchanged.text(), unchanged.headers.get('etag')]).toEqual([304, '', etag]);
    expect(unchanged.headers.get('content-type')).toBeNull();
    expect((await alice.get(path, { 'if-none-match': '"1"' })).status).toBe(200);
  });

  it('is linked for the user, too', async () => {
    const { _embedded: embedded } = application;
    const response = await alice.get(resourceHref(embedded?.['me'], 'photo'));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  it('may be missing; the response then has a reason', async () => {
    const path = await photoLinkOf('cid');
    const missing = await alice.get(path);
    expect([missing.status, await missing.json()]).toEqual([
      404,
      { code: 'NotFound', message: 'The person has no photo.' },
    ]);
    const xml = await alice.get(path, { accept: 'application/xml' });
    expect(await xml.text()).toContain('<code>NotFound</code>');
    expect(missing.headers.get('cache-control')).toBeNull();
  });

  it.each(['nobody@example.test', '..%2f..%2fpeople.json', '%00', 'people.json', 'alice@example.test%00'])(
    'is not found for an unknown person: %s',
    async (address) => {
      expect((await alice.get(`${resourceHref(application)}/photos/${address}`)).status).toBe(404);
    },
  );

  it('is only for signed-in users', async () => {
    const path = await photoLinkOf('bob');
    expect((await fetch(service.base + path)).status).toBe(401);
    expect((await alice.get(path.replace(/\/\d{24}\//, '/100000000000000000000000/'))).status).toBe(404);
  });
});

interface Page {
  readonly client: WebClient;
  /** Its application. */
  readonly self: string;
}

describe('a page that shows photos', () => {
  let page: Page;

  beforeAll(async () => {
    page = await pageOf('alice');
  });

  async function cookieFor({ client, self }: Page, headers: Record<string, string> = {}): Promise<string> {
    const response = await client.get(self, headers);
    return response.headers.get('set-cookie') ?? '';
  }

  async function pageOf(user: string): Promise<Page> {
    const client = new WebClient(service.base, await fetchUserToken(auth.base, user));
    return { client, self: resourceHref(await client.create('page')) };
  }

  /** As a browser requests an `<img>`: without a token. */
  async function shown(path: string, cookie: string, headers: Record<string, string> = {}): Promise<number> {
    const [pair = ''] = cookie.split(';', 1);
    const response = await fetch(service.base + path, { headers: { cookie: `a=b; ${pair}`, ...headers } });
    await response.body?.cancel();
    return response.status;
  }

  it('gets a cookie of its application, only for photos and not readable for scripts', async () => {
    const wanted = { culture: 'en', endpointId: 'page', userAgent: 'Test/1' };
    const created = (await page.client.post('/uc/v1/applications', wanted)).headers.get('set-cookie') ?? '';
    const form = /^ringdown_photos=([0-9a-f]{64}); Path=(\S+); Max-Age=(\d+); Secure; HttpOnly; SameSite=Strict$/;
    const [, value, path, seconds] = form.exec(created) ?? [];
    expect(path).toBe(`${page.self}/photos`);
    expect(Number(seconds)).toBeGreaterThan(28_000);
    expect(Number(seconds)).toBeLessThanOrEqual(28_800);
    expect(await cookieFor(page)).toContain(`ringdown_photos=${value};`);
    expect(created).not.toContain(page.client.token);
  });

  it('sees photos with the cookie, and nothing else', async () => {
    const cookie = await cookieFor(page);
    const path = `${page.self}/photos/bob@example.test`;
    expect(await shown(path, cookie)).toBe(200);
    expect(await shown(path, 'ringdown_photos=0')).toBe(401);
    expect(await shown(path, `ringdown_photos=${'0'.repeat(64)}`)).toBe(401);
    expect(await shown(path, `ringdown_photos=${page.client.token}`)).toBe(401);
    expect(await shown(path, cookie, { authorization: 'Bearer wrong' })).toBe(401);
    expect(await shown(page.self, cookie)).toBe(401);
    expect(await shown(`${page.self}/people/search?query=bob`, cookie)).toBe(401);
  });

  it('may be of another allowed origin; the cookie is then SameSite=None and Partitioned', async () => {
    expect(await cookieFor(page)).toMatch(/SameSite=Strict$/);
    const other = 'https://uc.example.test';
    expect(await cookieFor(page, { origin: other })).toMatch(/SameSite=None; Partitioned$/);
    expect(await cookieFor(page, { 'x-ringdown-origin': other })).toMatch(/SameSite=None; Partitioned$/);
    expect(await cookieFor(page, { origin: 'https://elsewhere.example.org' })).toBe('');
  });

  it('does not see photos of another user’s application', async () => {
    const cookie = await cookieFor(await pageOf('bob'));
    expect(await shown(`${page.self}/photos/bob@example.test`, cookie)).toBe(404);
  });

  it('does not see photos any more after its user has signed out', async () => {
    const leaving = await pageOf('cid');
    const cookie = await cookieFor(leaving);
    const path = `${leaving.self}/photos/bob@example.test`;
    expect(await shown(path, cookie)).toBe(200);
    const body = new URLSearchParams({ token: leaving.client.token });
    expect((await fetch(`${auth.base}/uc/token/revoke`, { method: 'POST', body })).ok).toBe(true);
    await eventually('the cookie to be rejected', async () => (await shown(path, cookie)) === 401);
  });
});

describe('a contact', () => {
  it('is not sent to a client that has it', async () => {
    const path = `${resourceHref(application)}/people/bob@example.test`;
    const { etag = '' } = await alice.read(path);
    expect((await alice.get(path, { 'if-none-match': `"${etag}"` })).status).toBe(304);
  });
});
