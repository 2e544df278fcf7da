import { eventually } from '@ringdown/testing/eventually';
import type { EventChannels } from '../../src/events/event-channels.js';
import { eventsFor } from '../session-events.js';
import { TwoReplicas } from '../two-replicas.js';
import { resourceHref, resourceLinkNames, embeddedMe, type WebClient } from '../web-client.js';
import { openSession, type OwnSession } from './own-session.js';

let world: TwoReplicas;
let channels: EventChannels;
let alice: WebClient;

beforeAll(async () => {
  world = await TwoReplicas.start([
    { user: 'alice', name: 'Alice Archer' },
    { user: 'bob', name: 'Bob Baker' },
    { user: 'carl', name: 'Carl Carver' },
    { user: 'dora', name: 'Dora Dean' },
    { user: 'emil', name: 'Emil Ernst' },
    ...['finn', 'gina'].map((user) => ({ user, name: user })),
  ]);
  alice = await world.user('alice');
  channels = await world.channels();
});
afterAll(() => world.stop());

function session(user: string, available?: object | null): Promise<OwnSession> {
  return openSession(world, user, available);
}

describe('users who become available', () => {
  it('have the link to it until then, and afterwards the links that it enables, at every replica', async () => {
    const application = await alice.create('available');
    const me = embeddedMe(application);
    expect(resourceLinkNames(me)).toEqual(['self', 'photo', 'phones', 'callForwardingSettings', 'makeMeAvailable']);
    const done = await alice.post(resourceHref(me, 'makeMeAvailable'), { SupportedModalities: ['Messaging'] });
    expect([done.status, await done.text()]).toEqual([204, '']);
    const other = alice.at(world.other);
    const after = [
      'self',
      'photo',
      'phones',
      'callForwardingSettings',
      'note',
      'presence',
      'location',
      'reportMyActivity',
    ];
    expect(resourceLinkNames(await other.read(resourceHref(me)))).toEqual(after);
    expect(resourceLinkNames(embeddedMe(await other.read(resourceHref(application))))).toEqual(after);
    expect(resourceLinkNames(embeddedMe(await other.create('available')))).toEqual(after);
    const again = await other.post(resourceHref(me, 'makeMeAvailable'));
    expect([again.status, await again.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'Conflict', subcode: 'AlreadyExists' }),
    ]);
    expect(resourceLinkNames(embeddedMe(await alice.create('lurker')))).toEqual([
      'self',
      'photo',
      'phones',
      'callForwardingSettings',
      'makeMeAvailable',
    ]);
  });

  it('receive events about what is possible now', async () => {
    const { id } = await session('bob');
    await eventually('the events to be delivered', async () => (await eventsFor(channels, id)).length === 5);
    expect(await eventsFor(channels, id)).toEqual([
      'updated me /me',
      'added presence /me/presence',
      'added note /me/note',
      'added location /me/location',
      'updated communication /communication',
    ]);
  });

  it('may do so once, even with concurrent requests at several replicas', async () => {
    const { client, me } = await session('carl', null);
    const replicas = [client, client.at(world.other)];
    const tries = Array.from({ length: 4 }, () => replicas).flat();
    const answers = await Promise.all(tries.map((each) => each.post(`${me}/makeMeAvailable`, { signInAs: 'Busy' })));
    const statuses = answers.map(({ status }) => status);
    expect([statuses.filter((status) => status === 204).length, new Set(statuses)]).toEqual([1, new Set([204, 409])]);
  });

  it('can set their parameters in JSON, in XML and in the query', async () => {
    const { client, me } = await session('dora', {
      signInAs: 'DoNotDisturb',
      supportedModalities: ['PhoneAudio', 'Messaging'],
      supportedMessageFormats: ['Plain', 'Html'],
      phoneNumber: 'tel:+12025550101',
      audioPreference: 'PhoneAudio',
      inactiveTimeout: '00:07:00',
      voipFallbackToPhoneAudioTimeOut: 'PT30S',
    });
    expect(await client.read(`${me}/presence`)).toMatchObject({ availability: 'DoNotDisturb', rel: 'presence' });
    const application = await client.create('second');
    const xml = '<input><property name="signInAs">Offwork</property><property name="phoneNumber"></property></input>';
    const link = resourceHref(embeddedMe(application), 'makeMeAvailable');
    expect((await client.post(link, xml, { 'content-type': 'application/xml' })).status).toBe(204);
    expect(await client.read(`${me}/presence`)).toMatchObject({ availability: 'Away', activity: 'off-work' });
    const third = resourceHref(embeddedMe(await client.create('third')), 'makeMeAvailable');
    const query = '?SignInAs=BeRightBack&supportedModalities=Messaging&supportedModalities=PhoneAudio';
    expect((await client.post(third + query, undefined, { 'content-type': 'application/json' })).status).toBe(204);
    expect(await client.read(`${me}/presence`)).toMatchObject({ availability: 'BeRightBack' });
  });

  it.each<[string, unknown, number, object]>([
    ['an unknown preference', { signInAs: 'Asleep' }, 400, { parameters: [{ name: 'signInAs' }] }],
    [
      'a modality that is none',
      { supportedModalities: ['Smoke'] },
      400,
      { parameters: [{ name: 'supportedModalities' }] },
    ],
    ['a modality as object', { supportedModalities: {} }, 400, { parameters: [{ name: 'supportedModalities' }] }],
    ['a modality not served', { supportedModalities: ['Messaging', 'Video'] }, 403, { code: 'Forbidden' }],
    [
      'a format that is none',
      { supportedMessageFormats: ['Rtf'] },
      400,
      { parameters: [{ name: 'supportedMessageFormats' }] },
    ],
    ['a long number', { phoneNumber: '1'.repeat(251) }, 400, { parameters: [{ name: 'phoneNumber' }] }],
    ['an invalid time', { inactiveTimeout: 'soon' }, 400, { parameters: [{ name: 'inactiveTimeout' }] }],
    ['a time of zero', { inactiveTimeout: '00:00:00' }, 400, { parameters: [{ name: 'inactiveTimeout' }] }],
    ['too long a time', { inactiveTimeout: '2.00:00:00' }, 400, { parameters: [{ name: 'inactiveTimeout' }] }],
    ['a time as a number', { inactiveTimeout: 5 }, 400, { parameters: [{ name: 'inactiveTimeout' }] }],
    ['broken JSON', '{', 400, { subcode: 'DeserializationFailure' }],
    ['a list', [], 400, { subcode: 'DeserializationFailure' }],
  ])('are rejected with %s, and stay as they were', async (_what, body, status, reason) => {
    const { client, me } = await session('emil', null);
    const answer = await client.post(`${me}/makeMeAvailable`, body);
    expect(await answer.json()).toMatchObject(reason);
    expect(answer.status).toBe(status);
    expect(resourceLinkNames(await client.read(me))).toEqual([
      'self',
      'photo',
      'phones',
      'callForwardingSettings',
      'makeMeAvailable',
    ]);
  });
});

describe('the presence, note and location of a user', () => {
  it('can be changed only while the user is available', async () => {
    const { client, me, href } = await session('emil', null);
    for (const path of [`${me}/presence`, `${me}/note`, `${me}/location`]) {
      for (const answer of [await client.get(path), await client.post(path)]) {
        expect([answer.status, await answer.json()]).toEqual([
          409,
          expect.objectContaining({ code: 'Conflict', subcode: 'MakeMeAvailableRequired' }),
        ]);
      }
    }
    for (const path of [`${me}/reportMyActivity`, `${href}/reportMyActivity`]) {
      expect((await client.post(path)).status).toBe(409);
    }
  });

  it.each<[string, string, object, object, object]>([
    [
      'presence',
      'presence',
      { Availability: 'Busy' },
      { availability: 'Busy', activity: 'Busy' },
      { availability: 'Online', activity: 'Available' },
    ],
    [
      'note',
      'note',
      { message: ' On <leave> & away ', type: 'OutOfOffice' },
      { message: 'On <leave> & away', type: 'OutOfOffice' },
      { message: '', type: 'Personal' },
    ],
    ['location', 'location', { location: 'Zürich 🏔' }, { location: 'Zürich 🏔' }, { location: '' }],
  ])('are changed and reset at every replica: %s', async (_what, rel, said, shown, reset) => {
    const { client, me } = await session('finn');
    const path = `${me}/${rel}`;
    const self = { _links: { self: { href: path } }, rel };
    expect((await client.post(path, said)).status).toBe(204);
    expect(await client.at(world.other).read(path)).toEqual({ ...shown, ...self });
    const xml = await client.get(path, { accept: 'application/xml' });
    expect(await xml.text()).toContain(`<resource rel="${rel}" href="${path}" xmlns="urn:ringdown:uc:v1">`);
    expect((await client.at(world.other).post(path, undefined, { 'content-type': 'application/json' })).status).toBe(
      204,
    );
    expect(await client.read(path)).toEqual({ ...reset, ...self });
  });

  it.each<[string, string, unknown, string]>([
    ['presence', 'presence', { availability: 'Offline' }, 'availability'],
    ['presence as a list', 'presence', { availability: ['Busy', 'Away'] }, 'availability'],
    ['note', 'note', { message: 'x'.repeat(501) }, 'message'],
    ['note that is not text', 'note', { message: { text: 'x' } }, 'message'],
    ['kind of note', 'note', { message: 'x', type: 'Public' }, 'type'],
    ['location', 'location', { location: 'x'.repeat(61) }, 'location'],
    ['location as number', 'location', { location: 7 }, 'location'],
  ])('are not changed to an invalid %s', async (_what, rel, body, parameter) => {
    const { client, me } = await session('finn');
    const before = await client.read(`${me}/${rel}`);
    const answer = await client.post(`${me}/${rel}`, body);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({
        subcode: 'ParameterValidationFailure',
        parameters: [expect.objectContaining({ name: parameter })],
      }),
    ]);
    expect(await client.read(`${me}/${rel}`)).toEqual(before);
  });

  it('can be set in the query, and are reset with a blank', async () => {
    const { client, me } = await session('finn');
    expect((await client.post(`${me}/note?message=back%20at%20noon`)).status).toBe(204);
    expect(await client.read(`${me}/note`)).toMatchObject({ message: 'back at noon' });
    expect((await client.post(`${me}/note`, { message: '  ' })).status).toBe(204);
    expect(await client.read(`${me}/note`)).toMatchObject({ message: '' });
  });

  it('are not accessible to other users', async () => {
    const { me, href } = await session('dora');
    const stranger = await world.user('carl');
    for (const path of [`${me}/presence`, `${me}/note`, `${me}/makeMeAvailable`, `${href}/reportMyActivity`]) {
      const answer = await stranger.post(path, {});
      expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ code: 'NotFound' })]);
    }
  });

  it('are reported to the other sessions of the user', async () => {
    const first = await session('gina');
    const second = await session('gina');
    await eventually(
      'the first events to be delivered',
      async () => (await eventsFor(channels, second.id)).length === 5,
    );
    await first.client.post(`${first.me}/location`, { location: 'Here' });
    await first.client.post(`${first.me}/presence`, { availability: 'Away' });
    const notified = ['updated location /me/location', 'updated presence /me/presence'];
    await eventually('the events to be delivered', async () => (await eventsFor(channels, second.id)).length === 7);
    expect((await eventsFor(channels, second.id)).slice(5)).toEqual(notified);
    await eventually(
      'the events of the other session to be delivered',
      async () => (await eventsFor(channels, first.id)).length === 7,
    );
  });
});
