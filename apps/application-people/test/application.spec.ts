import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { SMALL_PNG } from '@ringdown/testing/small-photos';
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

const folder = mkdtempSync(join(tmpdir(), 'ringdown-apps-'));
const env = { PEOPLE_FILE: join(folder, 'people.json'), DATA_DIR: folder };
const started = new Started();
let nats: TestNats;
let auth: RunningService;
let service: RunningService;
let alice: string;
let bob: string;

beforeAll(async () => {
  await writePeople(env.PEOPLE_FILE, [
    {
      user: 'alice',
      name: 'Alice Archer',
      title: 'Manager',
      department: 'Sales',
      company: 'Example',
      office: 'B 7',
      phones: { work: '+12025550101', mobile: '+12025550199' },
      contacts: ['bob', 'carl'],
    },
    { user: 'bob', name: 'Bob <b>&"Baker"' },
    { user: 'carl', name: 'Carl' },
  ]);
  mkdirSync(join(folder, 'photos'));
  writeFileSync(join(folder, 'photos', 'alice@example.test.png'), SMALL_PNG);
  nats = started.add(await startNats());
  auth = started.add(await startDiscoveryAuth(nats.urlOf('discovery-auth'), env));
  service = started.add(await startApplicationPeople(nats.urlOf('application-people'), env));
  alice = await fetchUserToken(auth.base, 'alice');
  bob = await fetchUserToken(auth.base, 'bob');
});
afterAll(async () => {
  await started.stopAll();
  rmSync(folder, { recursive: true });
});

interface Application {
  readonly id: string;
  readonly culture: string;
  readonly _links: { readonly self: { readonly href: string } };
  readonly _embedded: Readonly<Record<string, unknown>>;
}

const input = { culture: 'en-US', endpointId: 'e-1', UserAgent: 'Test/1' };

interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function call(path: string, { headers = {}, ...init }: Call = {}, token = alice): Promise<Response> {
  return fetch(service.base + path, { ...init, headers: { authorization: `Bearer ${token}`, ...headers } });
}

function applicationHref({ _links: links }: Application): string {
  return links.self.href;
}

function create(body: object = input, headers: Record<string, string> = {}, token = alice): Promise<Response> {
  const json = { 'content-type': 'application/json', ...headers };
  return call('/uc/v1/applications', { method: 'POST', body: JSON.stringify(body), headers: json }, token);
}

async function created(body: object = input, token = alice): Promise<Application> {
  return (await (await create(body, {}, token)).json()) as Application;
}

describe('an application', () => {
  it('is created with me and people, with relative links that work', async () => {
    const response = await create();
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('application/json');
    const application = (await response.json()) as Application;
    expect(application.id).toMatch(/^[1-9]\d{23}$/);
    const A = `/uc/v1/applications/${application.id}`;
    const { _embedded: embedded } = application;
    const communication = Object(embedded['communication']);
    expect(Object.keys(communication)[0]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(application).toEqual({
      culture: 'en-US',
      userAgent: 'Test/1',
      type: 'Browser',
      endpointId: 'e-1',
      id: application.id,
      _links: {
        self: { href: A },
        policies: { href: `${A}/policies` },
        batch: { href: `${A}/batch` },
        events: { href: `${A}/events?ack=1` },
      },
      _embedded: {
        me: {
          name: 'Alice Archer',
          uri: 'sip:alice@example.test',
          emailAddresses: ['alice@example.test'],
          title: 'Manager',
          department: 'Sales',
          company: 'Example',
          officeLocation: 'B 7',
          workPhoneNumber: 'tel:+12025550101',
          mobilePhoneNumber: 'tel:+12025550199',
          _links: {
            self: { href: `${A}/me` },
            photo: { href: `${A}/photos/alice@example.test` },
            phones: { href: `${A}/me/phones` },
            callForwardingSettings: { href: `${A}/me/callForwardingSettings` },
            makeMeAvailable: { href: `${A}/me/makeMeAvailable` },
          },
          rel: 'me',
        },
        people: {
          _links: {
            self: { href: `${A}/people` },
            presenceSubscriptions: { href: `${A}/people/presenceSubscriptions` },
            subscribedContacts: { href: `${A}/people/subscribedContacts` },
            presenceSubscriptionMemberships: { href: `${A}/people/presenceSubscriptionMemberships` },
            myGroups: { href: `${A}/people/groups`, revision: '2' },
            myGroupMemberships: { href: `${A}/people/groupMemberships`, revision: '2' },
            myContacts: { href: `${A}/people/contacts` },
            myContactsAndGroupsSubscription: { href: `${A}/people/contactsAndGroupsSubscription` },
            myPrivacyRelationships: { href: `${A}/people/privacyRelationships` },
            search: { href: `${A}/people/search` },
          },
          rel: 'people',
        },
        onlineMeetings: {
          _links: {
            self: { href: `${A}/onlineMeetings` },
            myOnlineMeetings: { href: `${A}/onlineMeetings/myOnlineMeetings` },
          },
          rel: 'onlineMeetings',
        },
        communication: {
          [Object.keys(communication)[0] ?? '']: 'please pass this in a PUT request',
          supportedModalities: [],
          supportedMessageFormats: ['Plain'],
          _links: {
            self: { href: `${A}/communication` },
            conversations: { href: `${A}/communication/conversations?filter=active` },
            startMessaging: { href: `${A}/communication/messagingInvitations`, revision: '2' },
          },
          rel: 'communication',
          etag: expect.stringMatching(/^\d+$/),
        },
      },
      rel: 'application',
      etag: expect.stringMatching(/^\d+$/),
    });
    expect(await linksThatFail(application)).toEqual([]);
  });

  async function linksThatFail(resource: unknown): Promise<string[]> {
    const hrefs = [...JSON.stringify(resource).matchAll(/"href":"([^"]+)"/g)].map(([, href]) => href ?? '');
    const outcomes = await Promise.all(
      hrefs.map(async (href) => {
        // Only a HEAD request for events: a poll would wait for some.
        const method = href.includes('/events?') ? 'HEAD' : 'GET';
        const { ok, status } = await call(href.endsWith('/search') ? `${href}?query=a` : href, { method });
        // Some links only accept POST.
        const leadsSomewhere = ok || (status === 405 && /\/(makeMeAvailable|batch|messagingInvitations)$/.test(href));
        return href.startsWith('/') && leadsSomewhere ? [] : [href];
      }),
    );
    return outcomes.flat();
  }

  it('is the same one for the same endpoint, even in concurrent requests', async () => {
    const bodies = Array.from({ length: 8 }, (_, n) => ({ ...input, endpointId: 'e-race', culture: `c-${n}` }));
    const all = await Promise.all(bodies.map((body) => created(body)));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    const again = await created({ ...input, endpointId: 'e-race', culture: 'de-DE', instanceId: null });
    expect(again).toMatchObject({ id: all[0]?.id, culture: 'de-DE' });
    expect((await created({ ...input, endpointId: 'e-other' })).id).not.toBe(again.id);
    expect((await created({ ...input, endpointId: 'e-race' }, bob)).id).not.toBe(again.id);
  });

  it('is created and read in XML as well', async () => {
    const response = await call('/uc/v1/applications', {
      method: 'POST',
      headers: {
        'content-type': 'application/vnd.ringdown.uc+xml',
        accept: 'application/vnd.ringdown.uc+xml',
        'x-ringdown-namespace': 'internal',
      },
      body: `<input xmlns="urn:ringdown:uc:v1"><property name="culture">en</property>
        <property name="endpointId">x&amp;y</property><property name="userAgent">A</property></input>`,
    });
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('application/vnd.ringdown.uc+xml; charset=utf-8');
    expect(response.headers.get('x-ringdown-namespace')).toBe('internal');
    const xml = await response.text();
    expect(xml).toMatch(
      /^<\?xml version="1.0" encoding="utf-8"\?><resource rel="application" href="\/uc\/v1\/applications\/\d{24}" xmlns="urn:ringdown:uc:v1">/,
    );
    expect(xml).toContain('<property name="endpointId">x&amp;y</property>');
    expect(xml).toContain('<resource rel="me" href="');
  });

  it('is read only by its owner', async () => {
    const mine = await created();
    expect(await (await call(applicationHref(mine))).json()).toEqual(mine);
    for (const path of [
      '',
      '/me',
      '/people',
      '/people/contacts',
      '/people/search?query=a',
      '/people/bob@example.test',
    ]) {
      const response = await call(applicationHref(mine) + path, {}, bob);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'NotFound', subcode: 'ApplicationNotFound' });
    }
    expect((await call(applicationHref(mine), { method: 'DELETE' }, bob)).status).toBe(404);
    expect((await call(applicationHref(mine))).status).toBe(200);
  });

  it('ends with DELETE, and its endpoint then gets a new one', async () => {
    const ended = await created({ ...input, endpointId: 'e-end' });
    const response = await call(applicationHref(ended), { method: 'DELETE' });
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect((await call(applicationHref(ended))).status).toBe(404);
    expect((await call(applicationHref(ended), { method: 'DELETE' })).status).toBe(404);
    expect((await created({ ...input, endpointId: 'e-end' })).id).not.toBe(ended.id);
  });

  it('still exists with the same token after everything has restarted', async () => {
    const kept = await created({ ...input, endpointId: 'e-kept' });
    await service.stop();
    await auth.stop();
    await nats.kill();
    await nats.restart();
    auth = started.add(await startDiscoveryAuth(nats.urlOf('discovery-auth'), env));
    service = started.add(await startApplicationPeople(nats.urlOf('application-people'), env));
    expect(await (await call(applicationHref(kept))).json()).toEqual(kept);
    expect((await created({ ...input, endpointId: 'e-kept' })).id).toBe(kept.id);
  });

  it('is not available (503) while the token service or the bus is down', async () => {
    await auth.stop();
    const fresh = await call('/uc/v1/applications/1', {}, 'never-seen');
    expect([fresh.status, fresh.headers.get('retry-after')]).toEqual([503, '2']);
    auth = started.add(await startDiscoveryAuth(nats.urlOf('discovery-auth'), env));
    const kept = await created();
    await nats.kill();
    const refused = await call(applicationHref(kept));
    expect([refused.status, await refused.json()]).toEqual([
      503,
      expect.objectContaining({ code: 'ServiceUnavailable' }),
    ]);
    await nats.restart();
    await eventually('the request to succeed', async () => (await call(applicationHref(kept))).status === 200);
  });
});

describe('a wrong request for an application', () => {
  const json = { 'content-type': 'application/json' };
  const xml = { 'content-type': 'application/xml' };

  it.each<[string, string | object, Record<string, string>, number, object]>([
    [
      'nothing',
      '',
      json,
      400,
      {
        subcode: 'ParameterValidationFailure',
        parameters: expect.arrayContaining([{ name: 'culture', reason: expect.stringContaining('culture') }]),
      },
    ],
    [
      'a missing userAgent',
      { culture: 'en', endpointId: 'e' },
      json,
      400,
      { parameters: [{ name: 'userAgent', reason: expect.any(String) }] },
    ],
    [
      'an empty culture',
      { ...input, culture: '' },
      json,
      400,
      { parameters: [{ name: 'culture', reason: expect.any(String) }] },
    ],
    [
      'a number for a text',
      { ...input, endpointId: 7 },
      json,
      400,
      { parameters: [{ name: 'endpointId', reason: 'endpointId must be a string' }] },
    ],
    ['a list instead of a text', { ...input, endpointId: ['a'] }, json, 400, { subcode: 'ParameterValidationFailure' }],
    [
      'a long endpointId',
      { ...input, endpointId: 'e'.repeat(101) },
      json,
      400,
      { parameters: [{ name: 'endpointId', reason: expect.stringContaining('100') }] },
    ],
    [
      'an unknown type',
      { ...input, type: 'Toaster' },
      json,
      400,
      { parameters: [{ name: 'type', reason: expect.any(String) }] },
    ],
    ['broken JSON', '{"culture"', json, 400, { subcode: 'DeserializationFailure' }],
    ['a JSON list', '[]', json, 400, { subcode: 'DeserializationFailure' }],
    ['deep JSON', '['.repeat(100_000), json, 400, { subcode: 'DeserializationFailure' }],
    ['broken XML', '<input>', xml, 400, { subcode: 'DeserializationFailure' }],
    [
      'XML with entities',
      '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><input>&b;</input>',
      xml,
      400,
      { subcode: 'DeserializationFailure' },
    ],
    [
      'a form',
      'culture=en',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      { code: 'UnsupportedMediaType' },
    ],
    ['300 KB', { ...input, endpointId: 'e'.repeat(300_000) }, json, 413, { code: 'EntityTooLarge' }],
    ['an image as the accepted format', input, { ...json, accept: 'image/*' }, 406, { code: 'NotAcceptable' }],
  ])(
    'with %s is rejected with the reason, and the next good request works',
    async (_what, body, headers, status, reason) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const response = await call('/uc/v1/applications', { method: 'POST', headers, body: text });
      expect(await response.json()).toMatchObject({ code: expect.any(String), message: expect.any(String), ...reason });
      expect(response.status).toBe(status);
      expect((await create()).status).toBe(201);
    },
  );

  it('gets its reason in XML for a client that accepts XML', async () => {
    const response = await create({}, { accept: 'application/xml' });
    expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    expect(await response.text()).toContain(
      '<reason xmlns="urn:ringdown:uc:v1"><code>BadRequest</code><subcode>ParameterValidationFailure</subcode>',
    );
  });

  it.each([
    ['GET', '/uc/v1/applications', 405],
    ['PUT', '/uc/v1/applications', 405],
    ['POST', '/uc/v1/applications/123456789012', 405],
    ['DELETE', '/uc/v1/applications/123456789012/people', 405],
    ['GET', '/uc/v1/applications/123456789012', 404],
    ['GET', '/uc/v1/applications/app.123', 404],
    ['GET', '/uc/v1/applications/%2e%2e%2f', 404],
    ['GET', '/uc/v1/applications/*', 404],
    ['GET', '/uc/v1/applications/123456789012/events', 404],
    ['GET', '/uc/v2/applications', 404],
  ])('by %s %s is rejected', async (method, path, status) => {
    const response = await call(path, { method });
    expect(await response.json()).toMatchObject({ code: status === 404 ? 'NotFound' : 'MethodNotAllowed' });
    expect(response.status).toBe(status);
  });

  it('without a token is challenged, with the echoed headers', async () => {
    const headers = { 'X-Ringdown-Namespace': 'internal', 'client-request-id': '7' };
    const response = await fetch(`${service.base}/uc/v1/applications`, { method: 'POST', headers });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe(
      'RingdownOAuth href="https://uc.example.test/uc/token",grant_type="urn:ringdown:uc:anonmeeting,password", Bearer realm="uc"',
    );
    expect(response.headers.get('x-ringdown-namespace')).toBe('internal');
    expect(response.headers.get('client-request-id')).toBe('7');
  });
});
