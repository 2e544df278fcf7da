import { GUEST_INVITATIONS, GUESTS_AT_ONCE } from '../src/messaging/guests/guest-invitations.js';
import { shown } from './inbox.js';
import { userSipAddress, Device, locationOf, MessagingWorld } from './messaging-world.js';
import { resourceHref, resourceLinkNames, type AnyResource } from './web-client.js';

type AnyShown = AnyResource & { readonly rel?: unknown };

const INVITATION = { to: userSipAddress('alice'), anonymousDisplayName: 'Ann Example' };

describe('a guest of a meeting', () => {
  let world: MessagingWorld;
  let alice: Device;
  let meeting: AnyResource;
  let count = 0;

  beforeAll(async () => {
    world = await MessagingWorld.start();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    await world.signOutAll();
    alice = await world.device('alice');
    meeting = await make({ subject: 'Tea' });
  });

  async function make(body: object): Promise<AnyResource> {
    const { _embedded: embedded } = alice.application;
    const href = resourceHref(embedded?.['onlineMeetings'], 'myOnlineMeetings');
    return alice.client.read(await locationOf(await alice.client.post(href, body)));
  }

  async function guest(renewed?: string): Promise<Device> {
    const client = await world.replicas.guest(meeting, renewed);
    return new Device(client, await client.create(`guest-${++count}`));
  }

  function post(by: Device, body: object = INVITATION): Promise<Response> {
    return by.client.post(`${by.self}/communication/messagingInvitations`, body);
  }

  /** A guest and the organizer who has accepted, with the messaging resources of both. */
  async function talking(): Promise<{ ann: Device; atAnn: AnyResource; atAlice: AnyResource }> {
    const ann = await guest();
    expect((await post(ann)).status).toBe(201);
    await alice.press(resourceHref(await alice.invited(), 'accept'));
    return { ann, atAnn: await ann.connected(), atAlice: await alice.connected() };
  }

  /** The properties of a contact and of its parts, in the order of its links, and its photo. */
  async function contactAt({ client }: Device, href: string): Promise<readonly [readonly object[], Response]> {
    const contact = await client.read(href);
    const { _links: links } = contact;
    const hrefs = Object.values(links).flatMap((link) => link?.href ?? []);
    const photo = await client.get(resourceHref(contact, 'contactPhoto'));
    await photo.body?.cancel();
    const parts = hrefs.filter((each) => !each.includes('/photos/'));
    const resources = await Promise.all(parts.map((each) => client.read(each)));
    return [resources.map(({ _links: _shown, rel: _rel, etag: _etag, ...properties }: AnyShown) => properties), photo];
  }

  function failureOf(by: Device): Promise<unknown> {
    return by.inbox.until('messagingInvitation', 'completed').then(({ reason }) => reason);
  }

  it('invites the organizer, who sees a marked name and accepts; then both write', async () => {
    const ann = await guest();
    const location = await locationOf(
      await post(ann, { ...INVITATION, subject: 'Not of the meeting', _links: { message: { href: 'data:,Hi' } } }),
    );
    const outgoing = await ann.client.read(location);
    expect(outgoing).toMatchObject({ direction: 'Outgoing', subject: 'Tea' });
    const incoming = await alice.invited();
    expect(incoming).toMatchObject({
      direction: 'Incoming',
      subject: 'Tea',
      _embedded: {
        from: {
          name: 'Ann Example (guest)',
          uri: expect.stringMatching(/^sip:[0-9a-f-]{36}@anonymous\.invalid$/),
          sourceNetwork: 'Everyone',
          anonymous: true,
        },
      },
    });
    const { _embedded: embedded } = incoming;
    expect(resourceLinkNames(embedded?.['from'])).toEqual([
      'self',
      'conversation',
      'contact',
      'contactPresence',
      'contactPhoto',
    ]);
    expect(await alice.press(resourceHref(incoming, 'accept'))).toBe(204);
    const [atAnn, atAlice] = [await ann.connected(), await alice.connected()];
    await alice.received('Hi');

    await ann.sendMessage(atAnn, 'Is there tea?');
    await alice.received('Is there tea?');
    await alice.sendMessage(atAlice, 'There is.');
    const message = shown(await ann.received('There is.'));
    expect(resourceLinkNames(message)).toEqual(['self', 'messaging', 'contact', 'participant', 'plainMessage']);
    const { _links: links } = message;
    expect(links['participant']).toMatchObject({ title: 'Alice Archer' });
    expect(await ann.client.read(resourceHref(message, 'participant'))).toMatchObject({
      uri: userSipAddress('alice'),
      sourceNetwork: 'SameEnterprise',
      anonymous: false,
    });
    expect(await ann.press(resourceHref(atAnn, 'setIsTyping'))).toBe(204);
    await alice.inbox.until('participant', 'added', ({ in: list }) => list?.rel === 'typingParticipants');
    expect(await ann.press(resourceHref(atAnn, 'stopMessaging'))).toBe(204);
    await alice.inbox.until('conversation', 'deleted');
    await ann.inbox.until('conversation', 'deleted');
  });

  it('is a contact that the organizer can follow, with no more than name and address', async () => {
    const { ann, atAnn } = await talking();
    await ann.sendMessage(atAnn, 'Hi');
    const message = shown(await alice.received('Hi'));
    const [contact, photo] = await contactAt(alice, resourceHref(message, 'contact'));
    const uri = expect.stringMatching(/^sip:[0-9a-f-]{36}@anonymous\.invalid$/);
    expect(contact).toEqual([
      { name: 'Ann Example (guest)', uri, sourceNetwork: 'Everyone', type: 'User' },
      { availability: 'Online', activity: 'Available', deviceType: 'Unknown' },
      { location: '' },
      { message: '', type: 'Personal' },
      { modalities: ['Messaging'] },
    ]);
    expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const conversation = await alice.client.read(resourceHref(message, 'messaging').replace(/\/messaging$/, ''));
    expect(resourceLinkNames(conversation)).toContain('addParticipant');

    const over = alice.inbox.until('messaging', 'updated', (event) => shown(event)['state'] === 'Disconnected');
    expect(await ann.press(resourceHref(atAnn, 'stopMessaging'))).toBe(204);
    // Clients read this link without a check, and use it at once.
    const again = await alice.client.post(resourceHref(shown(await over), 'addMessaging'), { operationId: 'again' });
    expect([again.status, await again.json()]).toMatchObject([404, { subcode: 'DestinationNotFound' }]);
    const ended = await alice.inbox.until(
      'conversation',
      'updated',
      (event) => shown(event)['state'] === 'Disconnected',
    );
    await alice.inbox.until('conversation', 'deleted', ({ link }) => link.href === ended.link.href);
    const [later] = await contactAt(alice, resourceHref(message, 'contact'));
    expect(later).toEqual([
      { name: 'Guest', uri, sourceNetwork: 'Everyone', type: 'User' },
      { availability: 'Offline', activity: 'Offline', deviceType: 'Unknown' },
      { location: '' },
      { message: '', type: 'Personal' },
      { modalities: [] },
    ]);
  });

  it('reads the same of the organizer, and nobody else', async () => {
    const { _embedded: embedded } = await alice.client.read(alice.self);
    const presence = resourceHref(embedded?.['me'], 'presence');
    const [note, location] = ['note', 'location'].map((part) => presence.replace(/presence$/, part));
    await alice.press(note ?? '', { message: 'At lunch' });
    await alice.press(location ?? '', { location: 'Kitchen' });
    await alice.press(presence, { availability: 'Busy' });
    const { ann, atAlice } = await talking();
    await alice.sendMessage(atAlice, 'Hello');
    const message = shown(await ann.received('Hello'));
    const href = resourceHref(message, 'contact');
    const [contact, photo] = await contactAt(ann, href);
    expect(contact).toEqual([
      { name: 'Alice Archer', uri: userSipAddress('alice'), sourceNetwork: 'SameEnterprise', type: 'User' },
      { availability: 'Online', activity: 'Available', deviceType: 'Unknown' },
      { location: '' },
      { message: '', type: 'Personal' },
      { modalities: ['Messaging'] },
    ]);
    expect(photo.status).toBe(200);
    const others = ['bob@example.test', 'nobody@example.test', `${'0'.repeat(36)}@anonymous.invalid`];
    for (const other of others) {
      for (const part of ['', '/presence', '/note', '/location', '/supportedMedia']) {
        const refused = await ann.client.get(href.replace('alice@example.test', other) + part);
        expect([refused.status, await refused.json()]).toMatchObject([403, { subcode: 'AnonymousNotAllowed' }]);
      }
      expect((await ann.client.get(`${ann.self}/photos/${other}`)).status).toBe(403);
    }
    await alice.press(resourceHref(atAlice, 'stopMessaging'));
    await ann.inbox.until('conversation', 'deleted');
    expect((await ann.client.get(href)).status).toBe(403);
  });

  it.each([
    ['another person', 'sip:bob@example.test'],
    ['nobody', 'sip:nobody@example.test'],
    ['an address outside', 'sip:ann@example.org'],
    ['another guest', 'sip:00000000-0000-0000-0000-000000000000@anonymous.invalid'],
    ['no address at all', 'x'],
  ])('cannot invite %s, and does not learn who exists', async (_what, to) => {
    const ann = await guest();
    const refused = await post(ann, { ...INVITATION, to });
    expect([refused.status, await refused.json()]).toEqual([
      403,
      {
        code: 'Forbidden',
        subcode: 'AnonymousNotAllowed',
        message: 'A guest may write only to the organizer of the meeting.',
      },
    ]);
  });

  it.each([['alice@example.test'], ['SIP:Alice@Example.test']])('invites the organizer as %s', async (to) => {
    const ann = await guest();
    expect((await post(ann, { to })).status).toBe(201);
    expect(await alice.invited()).toMatchObject({ _embedded: { from: { name: 'Guest' } } });
  });

  it('cannot pose as a colleague', async () => {
    const ann = await guest();
    await post(ann, { ...INVITATION, anonymousDisplayName: ' Bob\u202E  Baker\n' });
    expect(await alice.invited()).toMatchObject({
      _embedded: { from: { name: 'Bob Baker (guest)', anonymous: true } },
    });
    expect((await post(ann, { ...INVITATION, anonymousDisplayName: 'x'.repeat(251) })).status).toBe(400);
  });

  it('is declined, or gets no answer of an organizer who is away or wants no calls', async () => {
    const ann = await guest();
    await post(ann);
    await alice.press(resourceHref(await alice.invited(), 'decline'), { reason: 'Global' });
    expect(await failureOf(ann)).toEqual({ code: 'RemoteFailure', subcode: 'Declined' });

    const { _embedded: embedded } = await alice.client.read(alice.self);
    const presence = resourceHref(embedded?.['me'], 'presence');
    await alice.press(presence, { availability: 'DoNotDisturb' });
    const ben = await guest();
    await post(ben);
    expect(await failureOf(ben)).toEqual({ code: 'RemoteFailure', subcode: 'DoNotDisturb' });
    await alice.press(presence, { availability: 'Online' });

    await world.signOutAll();
    const cid = await guest();
    await post(cid);
    expect(await failureOf(cid)).toEqual({ code: 'RemoteFailure', subcode: 'TemporarilyUnavailable' });
  });

  it('sends another invitation after the end, with the same name', async () => {
    const { ann, atAnn, atAlice } = await talking();
    await alice.press(resourceHref(atAlice, 'stopMessaging'));
    const over = shown(
      await ann.inbox.until('messaging', 'updated', (event) => shown(event)['state'] === 'Disconnected'),
    );
    await alice.inbox.until('conversation', 'deleted');
    alice.inbox.events.splice(0);
    expect(resourceHref(atAnn)).toBe(resourceHref(over));
    expect(await ann.press(resourceHref(over, 'addMessaging'))).toBe(201);
    expect(await alice.invited()).toMatchObject({ _embedded: { from: { name: 'Ann Example (guest)' } } });
  });

  it('keeps the conversation with a renewed token', async () => {
    const { ann, atAnn } = await talking();
    const renewed = await world.replicas.guest(meeting, ann.client.token);
    expect(renewed.token).not.toBe(ann.client.token);
    const again = new Device(renewed, await renewed.read(ann.self));
    await again.sendMessage(atAnn, 'Still here');
    await alice.received('Still here');
  });

  it.each<[string, () => Promise<Response>]>([
    ['is deleted', () => alice.client.send('DELETE', resourceHref(meeting))],
    [
      'is closed to guests',
      () =>
        alice.client.send('PUT', resourceHref(meeting), { ...meeting, accessLevel: 'Invited' }, { 'if-match': '*' }),
    ],
  ])('leaves when the meeting %s', async (_what, close) => {
    const { ann } = await talking();
    const left = ann.inbox.until('conversation', 'deleted');
    expect((await close()).status).toBe(204);
    await alice.inbox.until('conversation', 'deleted');
    await left;
    expect((await ann.client.get(ann.self)).status).toBe(401);
    expect((await post(ann)).status).toBe(401);
  });

  it('leaves when its application ends', async () => {
    const { ann } = await talking();
    expect((await ann.client.send('DELETE', ann.self)).status).toBe(204);
    await alice.inbox.until('conversation', 'deleted');
  });

  it('is not the only one, but there are limits for all guests of a meeting', async () => {
    const guests = await Promise.all(Array.from({ length: GUESTS_AT_ONCE }, () => guest()));
    for (const each of guests) expect((await post(each)).status).toBe(201);
    const late = await guest();
    const refused = await post(late);
    expect([refused.status, await refused.json()]).toMatchObject([409, { subcode: 'LimitExceeded' }]);
    for (const { client, self } of guests) await client.send('DELETE', self);
    for (let i = GUESTS_AT_ONCE; i < GUEST_INVITATIONS; i++) {
      const location = await locationOf(await post(late));
      const { _links: links } = await late.client.read(location);
      expect(await late.press(links['cancel']?.href ?? '')).toBe(204);
    }
    expect((await post(late)).status).toBe(409);
    meeting = await make({});
    expect((await post(await guest())).status).toBe(201);
  });
});
