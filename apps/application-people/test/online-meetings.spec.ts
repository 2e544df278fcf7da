import { Bus } from '@ringdown/nats';
import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
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
import { resourceHref, resourceLinkNames, responseResource, WebClient, type AnyResource } from './web-client.js';

describe('the meetings of a person', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-meetings-'));
  const env = { PEOPLE_FILE: join(folder, 'people.json'), DATA_DIR: folder };
  const started = new Started();
  let nats: TestNats;
  let auth: RunningService;
  let service: RunningService;
  let bus: Bus;
  let alice: WebClient;
  let meetings: string;

  beforeAll(async () => {
    const users = ['alice', 'bob', 'yan', 'zoe'].map((user) => ({ user, name: `${user} A.` }));
    await writePeople(env.PEOPLE_FILE, users);
    nats = started.add(await startNats());
    auth = started.add(await startDiscoveryAuth(nats.urlOf('discovery-auth'), env));
    service = started.add(await startApplicationPeople(nats.urlOf('application-people'), env));
    bus = await Bus.connect({ url: nats.peopleUrl, name: 'test', logger: quietLogger() });
    started.add({ stop: () => bus.close() });
    alice = await clientOf('alice');
    meetings = await meetingsOf(alice);
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true });
  });

  async function clientOf(user: string): Promise<WebClient> {
    return new WebClient(service.base, await fetchUserToken(auth.base, user));
  }

  /** Follows the links: application, its online meetings, those of the user. */
  async function meetingsOf(client: WebClient): Promise<string> {
    const { _embedded: embedded } = await client.create('phone');
    const dashboard = await client.read(resourceHref(embedded?.['onlineMeetings']));
    return resourceHref(dashboard, 'myOnlineMeetings');
  }

  async function make(body?: unknown, client = alice, href = meetings): Promise<AnyResource> {
    const response = await client.post(href, body);
    expect(response.status).toBe(201);
    return responseResource(response);
  }

  /** All that the bus keeps, also of deleted ones. */
  async function storedMeetings(): Promise<number> {
    return (await bus.jsm.streams.info('KV_MEETINGS')).state.messages;
  }

  function guest(uri: unknown, id: unknown): Promise<Response> {
    const fields = { grant_type: 'urn:ringdown:uc:anonmeeting', password: String(id) };
    const body = new URLSearchParams({ ...fields, ringdown_rtc_conferenceuri: String(uri) });
    return fetch(`${auth.base}/uc/token`, { method: 'POST', body });
  }

  it('are created, read, listed and deleted', async () => {
    const expirationTime = new Date(Date.now() + 3_600_000);
    const made = await make({ Subject: 'Lunch & <more>', description: 'At noon', expirationTime, attendees: ['x'] });
    const { conferenceId } = Object(made);
    const [first] = Object.entries(made);
    expect(first).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), 'please pass this in a PUT request']);
    expect(made).toEqual({
      [first?.[0] ?? '']: 'please pass this in a PUT request',
      accessLevel: 'Everyone',
      attendees: [],
      automaticLeaderAssignment: 'Disabled',
      conferenceId: expect.stringMatching(/^[A-Z2-9]{16}$/),
      description: 'At noon',
      entryExitAnnouncement: 'Unsupported',
      expirationTime: `/Date(${expirationTime.getTime()})/`,
      joinUrl: `https://uc.example.test/meet/alice@example.test/${conferenceId}`,
      leaders: [],
      lobbyBypassForPhoneUsers: 'Disabled',
      onlineMeetingId: conferenceId,
      onlineMeetingRel: 'myOnlineMeetings',
      onlineMeetingUri: `sip:alice@example.test;gruu;opaque=app:conf:focus:id:${conferenceId}`,
      organizerName: 'alice A.',
      organizerUri: 'sip:alice@example.test',
      phoneUserAdmission: 'Disabled',
      subject: 'Lunch & <more>',
      _links: { self: { href: `${meetings}/${conferenceId}` } },
      rel: 'myOnlineMeeting',
      etag: expect.stringMatching(/^\d+$/),
    });
    expect(await alice.read(resourceHref(made))).toEqual(made);
    expect(await alice.read(meetings)).toEqual({
      _links: { self: { href: meetings } },
      _embedded: { myOnlineMeeting: [made] },
      rel: 'myOnlineMeetings',
    });
    const xml = await alice.get(resourceHref(made), { accept: 'application/xml' });
    expect(await xml.text()).toContain(`<property name="expirationTime">${expirationTime.toISOString()}</property>`);

    expect((await alice.send('DELETE', resourceHref(made))).status).toBe(204);
    expect((await alice.send('DELETE', resourceHref(made))).status).toBe(404);
    expect((await alice.get(resourceHref(made))).status).toBe(404);
    expect(await alice.read(meetings)).toMatchObject({ _embedded: { myOnlineMeeting: [] } });
  });

  it.each([
    ['nothing', undefined],
    ['an empty body', ''],
    ['nulls', { subject: null, accessLevel: null, expirationTime: null }],
  ])('may be created with %s', async (_what, body) => {
    const made = await make(body);
    expect(made).toMatchObject({ accessLevel: 'Everyone' });
    expect(made).not.toHaveProperty('subject');
    await alice.send('DELETE', resourceHref(made));
  });

  it('may be created in XML', async () => {
    const xml =
      '<input xmlns="urn:ringdown:uc:v1"><property name="subject">Tea</property><property name="accessLevel">Locked</property></input>';
    const response = await alice.post(meetings, xml, { 'content-type': 'application/xml' });
    expect(await responseResource(response)).toMatchObject({ subject: 'Tea', accessLevel: 'Locked' });
  });

  it('are changed with a PUT of what was read', async () => {
    const made = Object(await make({ subject: 'Tea', description: 'At four' }));
    const put = async (body: object, ifMatch?: string): Promise<number> => {
      const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch };
      return (await alice.send('PUT', resourceHref(made), body, headers)).status;
    };
    expect(await put(made)).toBe(428);
    expect(await put(made, '"7"')).toBe(412);
    expect(await put({ subject: 'Coffee' }, made.etag)).toBe(400);
    expect(await put({ ...made, accessLevel: 'Nobody' }, made.etag)).toBe(400);
    expect(await put({ ...made, subject: 'Coffee', description: '', accessLevel: 'Locked' }, `"${made.etag}"`)).toBe(
      204,
    );
    const changed = Object(await alice.read(resourceHref(made)));
    expect(changed).toMatchObject({ subject: 'Coffee', accessLevel: 'Locked', joinUrl: made.joinUrl });
    expect(changed).not.toHaveProperty('description');
    expect(await put({ ...made, subject: 'Cake' }, made.etag)).toBe(412);
    const bob = await clientOf('bob');
    const inOwn = `${await meetingsOf(bob)}/${made.conferenceId}`;
    expect((await bob.send('PUT', inOwn, made, { 'if-match': '*' })).status).toBe(400);
    await alice.send('DELETE', resourceHref(made));
    expect(await put(changed, changed.etag)).toBe(404);
  });

  it('admit guests while they exist and are open to everyone', async () => {
    const made = Object(await make());
    const token = await guest(made.onlineMeetingUri, made.conferenceId);
    expect(token.status).toBe(200);
    const client = new WebClient(service.base, String(Object(await token.json()).access_token));
    expect((await client.create('guest')).id).toMatch(/^\d{24}$/);
    const closed = Object(await make({ accessLevel: 'SameEnterprise' }));
    expect((await guest(closed.onlineMeetingUri, closed.conferenceId)).status).toBe(400);
    await alice.send('DELETE', resourceHref(made));
    expect((await guest(made.onlineMeetingUri, made.conferenceId)).status).toBe(400);
  });

  it('give guests an application with only themselves, the meeting and their conversations in it', async () => {
    const made = Object(await make({ subject: 'Tea' }));
    const token = await guest(made.onlineMeetingUri, made.conferenceId);
    const client = new WebClient(service.base, String(Object(await token.json()).access_token));
    const application = await client.create('guest');
    const self = resourceHref(application);
    const uri = expect.stringMatching(/^sip:[0-9a-f-]{36}@anonymous\.invalid$/);
    const me = { name: 'Guest', uri, _links: { self: { href: `${self}/me` } }, rel: 'me' };
    const communication = {
      supportedModalities: [],
      _links: {
        self: { href: `${self}/communication` },
        conversations: { href: `${self}/communication/conversations?filter=active` },
        startMessaging: { href: `${self}/communication/messagingInvitations`, revision: '2' },
      },
    };
    expect(application).toMatchObject({ _embedded: { me, communication } });
    expect(Object.keys(Object(application)['_embedded'])).toEqual(['me', 'communication']);
    expect(await client.read(`${self}/me`)).toEqual(me);
    const read = await client.read(`${self}/communication`);
    expect(read).toEqual(Object(application)['_embedded'].communication);
    expect(resourceLinkNames(read)).toEqual(['self', 'conversations', 'startMessaging']);
    expect(await client.read(resourceHref(application, 'onlineMeeting'))).toEqual({
      accessLevel: 'Everyone',
      joinUrl: made.joinUrl,
      onlineMeetingId: made.conferenceId,
      onlineMeetingUri: made.onlineMeetingUri,
      organizerName: 'alice A.',
      organizerUri: 'sip:alice@example.test',
      subject: 'Tea',
      _links: { self: { href: `${self}/onlineMeetings/onlineMeeting` } },
      rel: 'onlineMeeting',
      etag: made.etag,
    });
    const ofAlice = meetings.replace('myOnlineMeetings', 'onlineMeeting');
    expect((await alice.get(ofAlice)).status).toBe(404);
    expect(resourceLinkNames(await client.read(resourceHref(read, 'conversations')))).toEqual(['self']);
    expect(await client.read(self)).toEqual(application);
    for (const path of ['people', 'people/search?query=a', 'people/contacts', 'onlineMeetings/myOnlineMeetings']) {
      const refused = await client.get(`${self}/${path}`);
      expect([path, refused.status, await refused.json()]).toEqual([
        path,
        403,
        {
          code: 'Forbidden',
          subcode: 'AnonymousNotAllowed',
          message: 'Guests of a meeting are not allowed to use this.',
        },
      ]);
    }
    expect((await client.get(meetings.replace('/onlineMeetings/myOnlineMeetings', ''))).status).toBe(404);
    expect((await alice.get(self)).status).toBe(404);
    expect((await client.send('DELETE', self)).status).toBe(204);
  });

  it('are not accessible to other users', async () => {
    const made = await make();
    const bob = await clientOf('bob');
    const own = await meetingsOf(bob);
    expect(await bob.read(own)).toMatchObject({ _embedded: { myOnlineMeeting: [] } });
    const inOwnApplication = `${own}/${String(Object(made).conferenceId)}`;
    for (const href of [resourceHref(made), inOwnApplication]) {
      expect((await bob.get(href)).status).toBe(404);
      expect((await bob.send('DELETE', href)).status).toBe(404);
    }
    expect((await bob.get(meetings)).status).toBe(404);
    expect((await bob.post(meetings)).status).toBe(404);
    expect(await alice.read(resourceHref(made))).toEqual(made);
  });

  it.each<[string, unknown, string]>([
    ['a long subject', { subject: 'x'.repeat(251) }, 'subject'],
    ['a subject that is not text', { subject: 7 }, 'subject'],
    ['an unknown level', { accessLevel: 'Nobody' }, 'accessLevel'],
    ['a time in the past', { expirationTime: '2001-01-01T00:00:00Z' }, 'expirationTime'],
    ['a time in the past, in the other form', { expirationTime: '/Date(1)/' }, 'expirationTime'],
    ['an invalid time', { expirationTime: 'tomorrow' }, 'expirationTime'],
    ['a time that is a number', { expirationTime: 7 }, 'expirationTime'],
  ])('are not created with %s', async (_what, body, parameter) => {
    const response = await alice.post(meetings, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      subcode: 'ParameterValidationFailure',
      parameters: [{ name: parameter }],
    });
  });

  it('are limited to a hundred', async () => {
    const zoe = await clientOf('zoe');
    const own = await meetingsOf(zoe);
    for (let i = 0; i < 100; i++) await make(undefined, zoe, own);
    const refused = await zoe.post(own);
    expect([refused.status, await refused.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'Conflict', subcode: 'LimitExceeded' }),
    ]);
  });

  it('leave nothing behind when they are deleted, or over when another one is created', async () => {
    const bob = await clientOf('bob');
    const own = await meetingsOf(bob);
    const before = await storedMeetings();
    for (let i = 0; i < 3; i++) await make({ expirationTime: new Date(Date.now() + 1_000).toISOString() }, bob, own);
    await eventually('the end of the meetings', async () => {
      const { _embedded: embedded } = await bob.read(own);
      return [embedded?.['myOnlineMeeting'] ?? []].flat().length === 0;
    });
    const last = await make(undefined, bob, own);
    expect(await storedMeetings()).toBe(before + 1);
    expect((await bob.send('DELETE', resourceHref(last))).status).toBe(204);
    expect(await storedMeetings()).toBe(before);
  });

  it('are limited also when many are created at the same time', async () => {
    const yan = await clientOf('yan');
    const own = await meetingsOf(yan);
    const answers = await Promise.all(Array.from({ length: 120 }, () => yan.post(own)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(100);
    expect(statuses.filter((status) => status === 409)).toHaveLength(20);
  });

  it.each(['x', '*', '%3E', 'ABCDEFGHJKLMNPQR', 'a.b', '..%2f'])('are not found as %s', async (id) => {
    expect((await alice.get(`${meetings}/${id}`)).status).toBe(404);
    expect((await alice.send('DELETE', `${meetings}/${id}`)).status).toBe(404);
  });
});
