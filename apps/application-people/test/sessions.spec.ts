import { Bus } from '@ringdown/nats';
import { Bucket } from '@ringdown/nats/buckets';
import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  startApplicationPeople,
  startDiscoveryAuth,
  fetchUserToken,
  writePeople,
  type RunningService,
} from './running-services.js';
import { resourceHref, responseResource, WebClient, type AnyResource } from './web-client.js';

const folder = mkdtempSync(join(tmpdir(), 'ringdown-sessions-'));
const env = { PEOPLE_FILE: join(folder, 'people.json'), DATA_DIR: folder, APPLICATIONS_PER_USER: '4' };
const started = new Started();
let nats: TestNats;
let replicas: readonly [RunningService, RunningService];
let alice: WebClient;
let bob: WebClient;
let carol: WebClient;

beforeAll(async () => {
  await writePeople(env.PEOPLE_FILE, [
    { user: 'alice', name: 'Alice Archer' },
    { user: 'bob', name: 'Bob Baker' },
    { user: 'carol', name: 'Carol Carter' },
  ]);
  nats = started.add(await startNats());
  await storeEarlierApplication('carol@example.test');
  const auth = started.add(await startDiscoveryAuth(nats.urlOf('discovery-auth'), env));
  const start = async (): Promise<RunningService> =>
    started.add(await startApplicationPeople(nats.urlOf('application-people'), env));
  replicas = [await start(), await start()];
  alice = new WebClient(replicas[0].base, await fetchUserToken(auth.base, 'alice'));
  bob = new WebClient(replicas[0].base, await fetchUserToken(auth.base, 'bob'));
  carol = new WebClient(replicas[0].base, await fetchUserToken(auth.base, 'carol'));
});
afterAll(async () => {
  await started.stopAll();
  rmSync(folder, { recursive: true });
});

const A = '/uc/v1/applications';
const input = { culture: 'en', endpointId: 'tabs', userAgent: 'Test/1' };
const EARLIER = '814530962077';

/** As versions before ADR 0070 did. */
async function storeEarlierApplication(username: string): Promise<void> {
  const bus = await Bus.connect({ url: nats.peopleUrl, name: 'test', logger: quietLogger() });
  const bucket = await Bucket.open<object>({ bus, name: 'APPLICATIONS', maxAgeMs: 60_000, parse: Object });
  const application = {
    id: EARLIER,
    username,
    endpointId: 'earlier',
    culture: 'en',
    userAgent: 'Test/1',
    type: 'Browser',
  };
  const now = Date.now();
  await bucket.put(`app.${EARLIER}`, { ...application, instances: [null, 'tab'], createdAt: now, usedAt: now });
  const applications = [{ id: EARLIER, endpointId: 'earlier' }];
  await bucket.put(`user.${hash('sha256', username)}`, { applications });
  await bus.close();
}

const PLAIN = { 'accept-encoding': 'identity' };

describe('the tabs of one client', () => {
  it('share one application: 201 for a new one, 200 for one that exists', async () => {
    const first = await alice.post(A, { ...input, instanceId: 'tab 1' });
    const second = await alice.at(replicas[1].base).post(A, { ...input, INSTANCEID: 'tab&2' });
    const again = await alice.post(A, { ...input, instanceId: 'tab 1' });
    expect([first.status, second.status, again.status]).toEqual([201, 201, 200]);
    const [one, two] = [await responseResource(first), await responseResource(second)];
    expect(one).toMatchObject({
      instanceId: 'tab 1',
      _links: { self: { href: `${A}/${one.id}?instanceId=tab%201` } },
    });
    expect(two).toMatchObject({
      id: one.id,
      instanceId: 'tab&2',
      _links: { self: { href: `${A}/${one.id}?instanceId=tab%262` } },
    });
    expect(await alice.read(resourceHref(two))).toEqual(two);
    expect((await alice.get(`${A}/${one.id}?instanceId=other`)).status).toBe(404);
  });

  it('end one by one, and the application ends with the last one', async () => {
    const one = await alice.create('closing', { instanceId: '1' });
    const two = await alice.create('closing', { instanceId: '2' });
    expect((await alice.send('DELETE', resourceHref(one))).status).toBe(204);
    expect((await alice.get(resourceHref(one))).status).toBe(404);
    expect((await alice.get(resourceHref(two))).status).toBe(200);
    expect((await alice.send('DELETE', resourceHref(two))).status).toBe(204);
    expect((await alice.get(`${A}/${one.id}`)).status).toBe(404);
  });

  it('all end when their application is deleted as a whole', async () => {
    const one = await alice.create('whole', { instanceId: '1' });
    const two = await alice.create('whole', { instanceId: '2' });
    expect((await alice.send('DELETE', `${A}/${one.id}`)).status).toBe(204);
    expect((await alice.get(resourceHref(two))).status).toBe(404);
  });
});

describe('an application that is read again', () => {
  it('is not sent when its entity tag is known, until it changes', async () => {
    const application = await alice.create('etag');
    const path = resourceHref(application);
    const etag = (await alice.get(path, PLAIN)).headers.get('etag') ?? '';
    expect(etag).toBe(`W/"${application.etag}"`);
    for (const known of [etag, application.etag ?? '', `"1", "${application.etag}"`]) {
      const unchanged = await alice.get(path, { ...PLAIN, 'if-none-match': known });
      expect([unchanged.status, await unchanged.text(), unchanged.headers.get('etag')]).toEqual([304, '', etag]);
      // A cache adopts the headers of a 304, and would store the application with this type.
      expect(unchanged.headers.get('content-type')).toBeNull();
    }
    const renewed = await alice.create('etag', { culture: 'fr' });
    expect(renewed.etag).not.toBe(application.etag);
    expect((await alice.get(path, { 'if-none-match': etag })).status).toBe(200);
  });

  it('has one weak entity tag in every form, since the bytes differ, and the same headers when it is not sent', async () => {
    const application = await alice.create('packed');
    const etag = `W/"${application.etag}"`;
    const forms = [
      { accept: 'application/json', 'accept-encoding': 'gzip' },
      { accept: 'application/json', 'accept-encoding': 'identity' },
      { accept: 'application/vnd.ringdown.uc+xml', 'accept-encoding': 'gzip' },
    ];
    for (const form of forms) {
      const sent = await alice.get(resourceHref(application), form);
      expect(sent.headers.get('content-encoding')).toBe(form['accept-encoding'] === 'gzip' ? 'gzip' : null);
      const unchanged = await alice.get(resourceHref(application), { ...form, 'if-none-match': etag });
      expect([sent.status, unchanged.status]).toEqual([200, 304]);
      for (const name of ['etag', 'vary', 'cache-control']) {
        expect([name, unchanged.headers.get(name)]).toEqual([name, sent.headers.get(name)]);
      }
      expect([sent.headers.get('etag'), sent.headers.get('vary')]).toEqual([etag, 'accept, accept-encoding, origin']);
    }
  });

  it('links to the policies of the server', async () => {
    const policies = await alice.read(resourceHref(await alice.create('policies'), 'policies'));
    expect(policies).toMatchObject({ rel: 'policies', emoticons: 'Enabled', photos: 'Enabled' });
  });
});

describe('an application that an earlier version has stored', () => {
  it('is found, also through the cache, and is kept when its client starts again', async () => {
    expect((await carol.get(`${A}/${EARLIER}`)).status).toBe(200);
    expect((await carol.get(`${A}/${EARLIER}/people/search?query=bob`)).status).toBe(200);
    expect((await bob.get(`${A}/${EARLIER}`)).status).toBe(404);
    expect((await carol.create('another')).id).not.toBe(EARLIER);
    expect((await carol.create('earlier', { culture: 'fr' })).id).toBe(EARLIER);
    expect(await carol.read(`${A}/${EARLIER}?instanceId=tab`)).toMatchObject({ culture: 'fr', instanceId: 'tab' });
    expect((await carol.send('DELETE', `${A}/${EARLIER}`)).status).toBe(204);
    expect((await carol.get(`${A}/${EARLIER}`)).status).toBe(404);
  });
});

describe('a client that starts at the same time several times', () => {
  it('gets one application from all replicas', async () => {
    const starts = Array.from({ length: 8 }, (_, n) => alice.at(replicas[n % 2 === 0 ? 0 : 1].base).create('at once'));
    const ids = (await Promise.all(starts)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
  });
});

describe('a user with too many applications', () => {
  it('loses the oldest, which then reports the reason', async () => {
    const all = [];
    for (const n of [1, 2, 3, 4]) all.push(await bob.create(`many-${n}`));
    await bob.at(replicas[1].base).create('many-5');
    const statuses = await Promise.all(all.map(async (each) => (await bob.get(resourceHref(each))).status));
    expect(statuses).toEqual([410, 200, 200, 200]);
    const gone = await bob.get(`${resourceHref(all[0])}/me`);
    expect(await gone.json()).toMatchObject({ code: 'Gone', subcode: 'TooManyApplications' });
    const asXml = await bob.get(resourceHref(all[0]), { accept: 'application/xml' });
    expect(await asXml.text()).toContain('<code>Gone</code><subcode>TooManyApplications</subcode>');
    expect((await alice.get(resourceHref(all[0]))).status).toBe(404);
    expect((await bob.create('many-1')).id).not.toBe(all[0]?.id);
  });
});

describe('a search, which does not read from the bus each time', () => {
  const searchOf = (application: AnyResource): string => `${A}/${application.id}/people/search?query=bob`;

  it('sees a deletion of its application at once when made here, and soon when made at another replica', async () => {
    const search = searchOf(await alice.create('searching'));
    const elsewhere = alice.at(replicas[1].base);
    expect([(await alice.get(search)).status, (await elsewhere.get(search)).status]).toEqual([200, 200]);
    expect((await alice.send('DELETE', search.replace(/\/people.*/, ''))).status).toBe(204);
    expect((await alice.get(search)).status).toBe(404);
    await eventually(
      'the application to end on the other replica',
      async () => (await elsewhere.get(search)).status === 404,
    );
  });

  it('is only for the owner of the application', async () => {
    const search = searchOf(await alice.create('own'));
    expect((await alice.get(search)).status).toBe(200);
    expect((await bob.get(search)).status).toBe(404);
  });

  it('reports why another replica has ended the application', async () => {
    const oldest = searchOf(await bob.create('oldest'));
    expect((await bob.get(oldest)).status).toBe(200);
    for (const n of [1, 2, 3, 4]) await bob.at(replicas[1].base).create(`newer-${n}`);
    await eventually('the application to end on this replica', async () => (await bob.get(oldest)).status === 410);
  });
});
