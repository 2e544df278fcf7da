import { Started, startNats, type TestNats } from '@ringdown/testing';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  startApplicationPeople,
  startDiscoveryAuth,
  tokenOf,
  writePeople,
  type RunningService,
} from './running-services.js';
import { hrefOf, WebClient, type AnyResource } from './web-client.js';

const JPEG = Buffer.from('ffd8ffe000104a46494600010203', 'hex');
const PNG = Buffer.from('89504e470d0a1a0a0001', 'hex');

const folder = mkdtempSync(join(tmpdir(), 'ringdown-photos-'));
const env = { PEOPLE_FILE: join(folder, 'people.json'), DATA_DIR: folder };
const started = new Started();
let nats: TestNats;
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
  writeFileSync(join(folder, 'photos', 'alice@example.test.png'), PNG);
  writeFileSync(join(folder, 'photos', 'bob@example.test.jpg'), JPEG);
  nats = started.add(await startNats());
  const auth = started.add(await startDiscoveryAuth(nats.url, env));
  service = started.add(await startApplicationPeople(nats.url, env));
  alice = new WebClient(service.base, await tokenOf(auth.base, 'alice'));
  application = await alice.create('photos');
});
afterAll(async () => {
  await started.stopAll();
  rmSync(folder, { recursive: true });
});

async function photoLinkOf(user: string): Promise<string> {
  return hrefOf(await alice.read(`${hrefOf(application)}/people/${user}@example.test`), 'contactPhoto');
}

describe('the photo of a person', () => {
  it('is where the contact says, and may be kept', async () => {
    const response = await alice.get(await photoLinkOf('bob'), { accept: 'image/*', 'accept-encoding': 'gzip' });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(response.headers.get('cache-control')).toBe('private, max-age=3600');
    expect(Date.parse(response.headers.get('expires') ?? '')).toBeGreaterThan(Date.now() + 3_000_000);
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(Buffer.from(await response.arrayBuffer())).toEqual(JPEG);
  });

  it('is not sent to somebody who has it', async () => {
    const path = await photoLinkOf('bob');
    const etag = (await alice.get(path)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"\d+"$/);
    const unchanged = await alice.get(`${path}?size=HR48X48`, { 'if-none-match': etag });
    expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
    expect((await alice.get(path, { 'if-none-match': '"1"' })).status).toBe(200);
  });

  it('is with the user, too', async () => {
    const { _embedded: embedded } = application;
    const response = await alice.get(hrefOf(embedded?.['me'], 'photo'));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  it('may be missing, and then answers with a reason', async () => {
    const path = await photoLinkOf('cid');
    const missing = await alice.get(path);
    expect([missing.status, await missing.json()]).toEqual([
      404,
      { code: 'NotFound', message: 'There is no photo of this person.' },
    ]);
    const xml = await alice.get(path, { accept: 'application/xml' });
    expect(await xml.text()).toContain('<code>NotFound</code>');
    expect(missing.headers.get('cache-control')).toBeNull();
  });

  it.each(['nobody@example.test', '..%2f..%2fpeople.json', '%00', 'people.json', 'alice@example.test%00'])(
    'is not found for who is nobody: %s',
    async (address) => {
      expect((await alice.get(`${hrefOf(application)}/photos/${address}`)).status).toBe(404);
    },
  );

  it('is for those who have signed in', async () => {
    const path = await photoLinkOf('bob');
    expect((await fetch(service.base + path)).status).toBe(401);
    expect((await alice.get(path.replace(/\/\d{12}\//, '/100000000000/'))).status).toBe(404);
  });
});

describe('a contact', () => {
  it('is not sent to somebody who has it', async () => {
    const path = `${hrefOf(application)}/people/bob@example.test`;
    const { etag = '' } = await alice.read(path);
    expect((await alice.get(path, { 'if-none-match': `"${etag}"` })).status).toBe(304);
  });
});
