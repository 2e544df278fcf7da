import { eventually } from '@ringdown/testing/eventually';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import type { EventChannels } from '../../src/events/event-channels.js';
import { PresenceBucket } from '../../src/presence-store/presence-bucket.js';
import { expireSubscriptions } from '../../src/presence-store/watch-list.js';
import { WatchLists } from '../../src/presence-store/watch-lists.js';
import { Inbox } from '../inbox.js';
import { eventsFor } from '../session-events.js';
import { TwoReplicas } from '../two-replicas.js';
import {
  resourceHref,
  resourceLinkNames,
  embeddedMe,
  responseResource,
  type AnyResource,
  type WebClient,
} from '../web-client.js';

let world: TwoReplicas;
let channels: EventChannels;
let alice: WebClient;
let sessions = 0;

const USERS = ['alice', 'bob', 'carl', 'dora', 'emil', 'finn', 'gina', 'hugo'];

beforeAll(async () => {
  world = await TwoReplicas.start(
    USERS.map((user) => ({ user, name: user, ...(user === 'alice' ? { contacts: ['bob', 'carl'] } : {}) })),
    { APPLICATIONS_PER_USER: '100' },
  );
  channels = await world.channels();
  alice = await world.user('alice');
});
afterAll(() => world.stop());

interface Looking {
  readonly id: string;
  readonly href: string;
  readonly people: string;
}

/** A new session of alice, with the events about others that it is going to receive. */
async function session(client = alice): Promise<Looking> {
  const application = await client.create(`looking-${++sessions}`);
  const { _embedded: embedded } = application;
  return { id: application.id ?? '', href: resourceHref(application), people: resourceHref(embedded?.['people']) };
}

async function subscribed({ people }: Looking, body: unknown, query = ''): Promise<AnyResource> {
  const answer = await alice.post(`${people}/presenceSubscriptions${query}`, body);
  expect(answer.status).toBe(201);
  return responseResource(answer);
}

function contactsIn(resource: AnyResource): readonly string[] {
  return [...JSON.stringify(resource).matchAll(/people\/(\w+)@example\.test"/g)].map(([, name]) => name ?? '');
}

/** A user who was seen as available at the other replica. */
async function available(user: string): Promise<{ client: WebClient; me: string }> {
  const client = (await world.user(user)).at(world.other);
  const me = embeddedMe(await client.create(`${user}-${++sessions}`));
  expect((await client.post(resourceHref(me, 'makeMeAvailable'))).status).toBe(204);
  return { client, me: resourceHref(me) };
}

describe('a subscription to the presence of people', () => {
  it('is created, shown, and reported to the session, with all its people', async () => {
    const own = await session();
    const made = await subscribed(own, {
      duration: 11,
      Uris: ['sip:BOB@example.test', 'carl@example.test', 'sip:bob@example.test'],
    });
    const self = `${own.people}/presenceSubscriptions/${made.id}`;
    const memberships = `${own.people}/presenceSubscriptionMemberships?presenceSubscriptionId=${made.id}`;
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}$/),
      _links: {
        self: { href: self },
        memberships: { href: memberships },
        addToPresenceSubscription: { href: memberships },
      },
      rel: 'presenceSubscription',
    });
    const other = alice.at(world.other);
    expect(await other.read(self)).toEqual(made);
    expect(await other.read(`${own.people}/presenceSubscriptions`)).toMatchObject({
      _embedded: { presenceSubscription: [made] },
    });
    expect(contactsIn(await other.read(`${own.people}/subscribedContacts`))).toEqual(['bob', 'carl']);
    expect(await other.read(memberships)).toMatchObject({
      _embedded: { presenceSubscriptionMembership: [{ rel: 'presenceSubscriptionMembership' }, {}] },
    });
    expect(await eventsFor(channels, own.id)).toEqual([
      'added contact /people/bob@example.test',
      'added contact /people/carl@example.test',
      `added presenceSubscription /people/presenceSubscriptions/${made.id}`,
      'updated contactPresence /people/bob@example.test/presence',
      'updated contactPresence /people/carl@example.test/presence',
    ]);
  });

  it('is linked from people, and can be read in XML', async () => {
    const own = await session();
    const made = await subscribed(own, { uris: ['sip:bob@example.test'] });
    expect(resourceLinkNames(await alice.read(own.people))).toEqual(
      expect.arrayContaining(['presenceSubscriptions', 'subscribedContacts', 'presenceSubscriptionMemberships']),
    );
    const accept = { accept: 'application/xml' };
    expect(await (await alice.get(resourceHref(made), accept)).text()).toContain(
      `<property name="id">${made.id}</property>`,
    );
    expect(await (await alice.get(`${own.people}/subscribedContacts`, accept)).text()).toContain(
      `<link rel="contact" href="${own.people}/bob@example.test" title="bob"/>`,
    );
    const xml = '<input><propertyList name="contactUris"><item>sip:carl@example.test</item></propertyList></input>';
    const added = await alice.post(resourceHref(made, 'addToPresenceSubscription'), xml, {
      'content-type': 'text/xml',
    });
    expect(added.status).toBe(201);
    expect(contactsIn(await alice.read(`${own.people}/subscribedContacts`))).toEqual(['bob', 'carl']);
  });

  it('reports changes of its people through any replica, once for what changes twice', async () => {
    const dora = await available('dora');
    const own = await session();
    await subscribed(own, { duration: 10, uris: ['sip:dora@example.test'] });
    await dora.client.post(`${dora.me}/presence`, { availability: 'Busy' });
    await dora.client.post(`${dora.me}/note`, { message: 'In a rush' });
    await dora.client.post(`${dora.me}/presence`, { availability: 'Away' });
    // A slow replica may see all three changes at once, and then reports them in any order.
    await eventually('the event to be delivered', async () => {
      const eventTexts = await eventsFor(channels, own.id);
      return ['contactNote', 'contactPresence'].every((rel) =>
        eventTexts.some((each) => each.startsWith(`updated ${rel}`)),
      );
    });
    await eventually('the newest presence', async () => {
      const presence: object = await alice.read(`${own.people}/dora@example.test/presence`);
      return 'availability' in presence && presence.availability === 'Away';
    });
    const eventTexts = await eventsFor(channels, own.id);
    expect(eventTexts.filter((each) => each.startsWith('updated contactPresence'))).toHaveLength(1);
  });

  it('delivers changes to the waiting poll of the client, as events of `people`', async () => {
    const emil = await available('emil');
    const own = await session();
    await subscribed(own, { duration: 10, uris: ['sip:emil@example.test'] });
    const inbox = new Inbox(alice.at(world.other), await alice.read(own.href));
    const first = await alice.get(`${inbox.next}&medium=5`);
    expect(await first.json()).toMatchObject({ sender: [{ rel: 'people', href: own.people }] });
    const eventTexts = inbox.until('contactLocation', 'updated');
    await emil.client.post(`${emil.me}/location`, { location: 'Here' });
    expect(await eventTexts).toMatchObject({
      sender: own.people,
      link: { href: `${own.people}/emil@example.test/location` },
      in: { rel: 'contact', href: `${own.people}/emil@example.test` },
    });
  });

  it('ends with DELETE, and then reports nothing more', async () => {
    const finn = await available('finn');
    const own = await session();
    const made = await subscribed(own, { uris: ['sip:finn@example.test'] });
    expect((await alice.at(world.other).send('DELETE', resourceHref(made))).status).toBe(204);
    const eventTexts = await eventsFor(channels, own.id);
    expect(eventTexts.slice(-2)).toEqual([
      `deleted presenceSubscription /people/presenceSubscriptions/${made.id}`,
      'deleted contact /people/finn@example.test',
    ]);
    for (const answer of [await alice.get(resourceHref(made)), await alice.post(`${resourceHref(made)}?duration=11`)]) {
      expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ code: 'NotFound' })]);
    }
    const witness = await session();
    await subscribed(witness, { uris: ['sip:finn@example.test'] });
    await finn.client.post(`${finn.me}/note`, { message: 'Hello' });
    await eventually('another session to be notified', async () =>
      (await eventsFor(channels, witness.id)).some((each) => each.includes('contactNote')),
    );
    expect(await eventsFor(channels, own.id)).toEqual(eventTexts);
  });

  it('is extended, and ends by itself after a notice', async () => {
    const own = await session();
    const made = await subscribed(own, undefined, '?duration=30&uris=sip:bob@example.test');
    const extended = await alice.at(world.other).post(`${resourceHref(made)}?duration=11`);
    expect([extended.status, await extended.json()]).toEqual([200, made]);
    const lists = new WatchLists(await PresenceBucket.open(await world.bus(), quietLogger()));
    const later = (minutes: number): Promise<unknown> =>
      lists.change('alice@example.test', ({ applications, ...rest }) => ({
        ...rest,
        applications: {
          ...applications,
          [own.id]: (applications[own.id] ?? []).map((each) => ({ ...each, expiresAt: Date.now() + minutes * 60_000 })),
        },
      }));
    await later(0.9);
    const eventTexts = `updated presenceSubscription /people/presenceSubscriptions/${made.id}`;
    await eventually('the notice of the end to be delivered', async () =>
      (await eventsFor(channels, own.id)).includes(eventTexts),
    );
    await later(0);
    await eventually('the subscription to end', async () =>
      (await eventsFor(channels, own.id)).at(-1)?.startsWith('deleted contact'),
    );
    expect((await alice.get(resourceHref(made))).status).toBe(404);
    expect(
      expireSubscriptions(Date.now())(await lists.read('alice@example.test')).applications[own.id],
    ).toBeUndefined();
  });

  it('lets single people be removed again', async () => {
    const own = await session();
    const made = await subscribed(own, { uris: ['sip:bob@example.test', 'sip:carl@example.test'] });
    const bob = `${own.people}/presenceSubscriptionMemberships/${made.id}/bob@example.test`;
    const { _links: links } = await alice.read(bob);
    expect(links).toMatchObject({ contact: { href: `${own.people}/bob@example.test` }, presenceSubscription: {} });
    expect((await alice.send('DELETE', bob)).status).toBe(204);
    for (const method of ['GET', 'DELETE']) expect((await alice.send(method, bob)).status).toBe(404);
    expect(contactsIn(await alice.read(`${own.people}/subscribedContacts`))).toEqual(['carl']);
  });

  it('persists through a restart of everything', async () => {
    const own = await session();
    const made = await subscribed(own, { uris: ['sip:gina@example.test'] });
    await world.restartAll();
    alice = await world.user('alice');
    channels = await world.channels();
    expect(await alice.read(resourceHref(made))).toEqual(made);
    const gina = await available('gina');
    await gina.client.post(`${gina.me}/note`, { message: 'Hello' });
    const note = 'updated contactNote /people/gina@example.test/note';
    await eventually('the event to be delivered', async () => (await eventsFor(channels, own.id)).includes(note));
    expect(await eventsFor(channels, own.id)).toContain(note);
  });
});

describe('a subscription to a group', () => {
  it('contains the current members of the group, and ends with it', async () => {
    const own = await session();
    await alice.post(`${own.people}/groups`, { displayName: 'Team' });
    const { _embedded: embedded } = await alice.read(`${own.people}/groups`);
    const groups: unknown = embedded?.['group'];
    const group = Array.isArray(groups) ? groups[0] : undefined;
    const made = await responseResource(
      await alice.post(`${resourceHref(group, 'subscribeToGroupPresence')}&duration=11`),
    );
    expect([made.id, resourceLinkNames(made)]).toEqual([group.id, ['self', 'memberships']]);
    await alice
      .at(world.other)
      .post(`${own.people}/groupMemberships?contactUri=sip:hugo@example.test&groupId=${made.id}`);
    expect(contactsIn(await alice.read(`${own.people}/subscribedContacts`))).toEqual(['hugo']);
    const added = await alice.post(resourceHref(made, 'memberships'), { contactUris: ['sip:bob@example.test'] });
    expect(added.status).toBe(403);
    await alice.send('DELETE', resourceHref(group));
    expect((await alice.get(resourceHref(made))).status).toBe(404);
    const pinned = await alice.post(`${own.people}/presenceSubscriptions?groupId=default&duration=30`);
    expect([pinned.status, await pinned.json()]).toEqual([201, expect.objectContaining({ id: 'default' })]);
    expect((await alice.post(`${own.people}/presenceSubscriptions?groupId=nothing`)).status).toBe(404);
  });
});

describe('a wrong request for a subscription', () => {
  it.each<[string, unknown, number, object]>([
    ['no people', { duration: 11, uris: [] }, 400, { parameters: [{ name: 'uris' }] }],
    ['no list', { duration: 11 }, 400, { parameters: [{ name: 'uris' }] }],
    ['a text that is not an address', { uris: ['bob'] }, 400, { parameters: [{ name: 'uris' }] }],
    ['a number', { uris: [7] }, 400, { parameters: [{ name: 'uris' }] }],
    ['a long address', { uris: [`sip:${'x'.repeat(250)}@example.test`] }, 400, { parameters: [{ name: 'uris' }] }],
    ['too short a time', { duration: 9, uris: ['a@b'] }, 400, { parameters: [{ name: 'duration' }] }],
    ['too long a time', { duration: 31, uris: ['a@b'] }, 400, { parameters: [{ name: 'duration' }] }],
    ['no time', { duration: 'long', uris: ['a@b'] }, 400, { parameters: [{ name: 'duration' }] }],
    ['half a minute', { duration: 10.5, uris: ['a@b'] }, 400, { parameters: [{ name: 'duration' }] }],
    ['a group as list', { groupId: ['a', 'b'] }, 400, { parameters: [{ name: 'groupId' }] }],
    ['broken JSON', '[', 400, { subcode: 'DeserializationFailure' }],
  ])('with %s is rejected, and no subscription is created', async (_what, body, status, reason) => {
    const own = await session();
    const answer = await alice.post(`${own.people}/presenceSubscriptions`, body);
    expect(await answer.json()).toMatchObject(reason);
    expect(answer.status).toBe(status);
    expect(contactsIn(await alice.read(`${own.people}/subscribedContacts`))).toEqual([]);
  });

  it('leaves out unknown addresses', async () => {
    const own = await session();
    await subscribed(own, { uris: ['sip:nobody@example.test', 'sip:bob@example.test', 'sip:*@example.test'] });
    expect(contactsIn(await alice.read(`${own.people}/subscribedContacts`))).toEqual(['bob']);
  });

  it('is limited in people and number', async () => {
    const own = await session();
    const uris = ['sip:bob@example.test'];
    for (let n = 0; n < 100; n++) await subscribed(own, { uris });
    const refused = await alice.post(`${own.people}/presenceSubscriptions`, { uris });
    expect([refused.status, await refused.json()]).toEqual([
      403,
      expect.objectContaining({ code: 'Forbidden', subcode: 'LimitExceeded' }),
    ]);
  });

  it('is not accessible to other users', async () => {
    const own = await session();
    const made = await subscribed(own, { uris: ['sip:bob@example.test'] });
    const bob = await world.user('bob');
    const theirs = await session(bob);
    const elsewhere = `${theirs.people}/presenceSubscriptions/${made.id}`;
    for (const path of [resourceHref(made), elsewhere]) {
      for (const method of ['GET', 'POST', 'DELETE']) expect((await bob.send(method, path)).status).toBe(404);
    }
    expect((await alice.get(resourceHref(made))).status).toBe(200);
  });
});
