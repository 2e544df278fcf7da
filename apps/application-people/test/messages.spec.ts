import { shown } from './inbox.js';
import { invite, MessagingWorld, type Device } from './messaging-world.js';
import { resourceHref, linksTo } from './web-client.js';

let world: MessagingWorld;
let alice: Device;
let bob: Device;

beforeAll(async () => {
  world = await MessagingWorld.start();
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.signOutAll();
  alice = await world.device('alice');
  bob = await world.device('bob');
});

function invitationId(invitation: string): string {
  return invitation.slice(invitation.lastIndexOf('/') + 1);
}

describe('an invitation to a conversation', () => {
  const HELLO = 'data:text/plain;base64,SGkgQm9iIPCfkYs=';

  it('reaches the other user through any replica, and both can write after the acceptance', async () => {
    const location = await invite(alice, 'bob', {
      operationId: 'op-1',
      subject: 'Lunch',
      importance: 'Urgent',
      threadId: 'thread-1',
      telemetryId: null,
      _links: { message: { href: HELLO } },
    });
    const C = `${alice.self}/communication/conversations/${invitationId(location)}`;
    expect(location).toBe(`${alice.self}/communication/messagingInvitations/${invitationId(location)}`);
    const outgoing = await alice.inbox.until('messagingInvitation', 'started');
    expect(outgoing).toMatchObject({
      sender: `${alice.self}/communication`,
      link: { href: location },
      _embedded: {
        messagingInvitation: {
          rel: 'messagingInvitation',
          direction: 'Outgoing',
          importance: 'Urgent',
          threadId: 'thread-1',
          state: 'Connecting',
          operationId: 'op-1',
          subject: 'Lunch',
          _links: {
            self: { href: location },
            from: { href: `${C}/localParticipant`, title: 'Alice Archer' },
            to: { href: `${alice.self}/people/bob@example.test`, title: 'Bob Baker' },
            cancel: { href: `${C}/messaging/terminate` },
            conversation: { href: C },
            messaging: { href: `${C}/messaging` },
          },
        },
      },
    });
    expect(await alice.client.read(location)).toEqual(shown(outgoing));
    expect(await alice.client.read(C)).toMatchObject({ state: 'Connecting', activeModalities: [], recording: false });

    const invitation = await bob.invited();
    const own = resourceHref(invitation, 'conversation');
    expect(invitation).toMatchObject({
      direction: 'Incoming',
      state: 'Connecting',
      subject: 'Lunch',
      _links: {
        accept: { href: `${resourceHref(invitation)}/accept` },
        decline: { href: `${resourceHref(invitation)}/decline` },
        from: { href: `${own}/participants/alice@example.test`, title: 'Alice Archer' },
        to: { href: `${bob.self}/people/bob@example.test` },
        message: { href: 'data:text/plain;charset=utf-8,Hi+Bob+%F0%9F%91%8B' },
      },
      _embedded: {
        from: {
          rel: 'participant',
          name: 'Alice Archer',
          uri: 'sip:alice@example.test',
          anonymous: false,
          _links: { contact: { href: `${bob.self}/people/alice@example.test` }, conversation: { href: own } },
        },
      },
    });
    expect(await bob.client.read(own)).toMatchObject({ state: 'Incoming' });

    expect(await bob.press(`${resourceHref(invitation, 'accept')}?sessionContext=x`)).toBe(204);
    expect(await bob.press(resourceHref(invitation, 'accept'))).toBe(204);
    const messaging = await alice.connected();
    expect(messaging).toMatchObject({ rel: 'messaging', negotiatedMessageFormats: ['Plain'] });
    for (const rel of ['sendMessage', 'stopMessaging', 'setIsTyping', 'typingParticipants', 'conversation']) {
      expect(resourceHref(messaging, rel)).toMatch(/^\//);
    }
    const completed = await alice.inbox.until('messagingInvitation', 'completed');
    expect(completed).toMatchObject({
      status: 'Success',
      _embedded: {
        messagingInvitation: {
          state: 'Connected',
          _embedded: { acceptedByParticipant: [{ uri: 'sip:bob@example.test' }] },
        },
      },
    });
    expect(await alice.client.read(C)).toMatchObject({
      state: 'Connected',
      activeModalities: ['Messaging'],
      _links: { addParticipant: { href: expect.stringContaining(`?conversation=${invitationId(location)}`) } },
    });
    const first = await bob.received('Hi Bob 👋');
    expect(shown(first)).toMatchObject({
      direction: 'Incoming',
      timeStamp: expect.stringMatching(/^\/Date\(\d+\)\/$/),
      _links: {
        contact: { href: `${bob.self}/people/alice@example.test` },
        participant: { href: `${own}/participants/alice@example.test`, title: 'Alice Archer' },
        messaging: { href: `${own}/messaging` },
      },
    });
    await bob.received('Hi Bob 👋');
  });

  it('sends each side the events in order', async () => {
    await invite(alice, 'bob', { message: 'data:text/plain,hi' });
    await alice.inbox.poll();
    expect(alice.inbox.summary).toEqual([
      'messagingInvitation started',
      'conversation added',
      'localParticipant added',
      'messaging updated',
    ]);
    const invitation = await bob.invited();
    expect(bob.inbox.summary).toEqual([
      'messagingInvitation started',
      'conversation added',
      'localParticipant added',
      'participant added',
      'messaging updated',
    ]);
    alice.inbox.events.splice(0);
    bob.inbox.events.splice(0);
    await bob.press(resourceHref(invitation, 'accept'));
    await alice.inbox.poll();
    await bob.inbox.poll();
    const connected = ['participantMessaging added', 'participantMessaging added', 'messaging updated'];
    expect(alice.inbox.summary).toEqual([
      'conversation updated',
      'participant added',
      ...connected,
      'messagingInvitation completed Success',
    ]);
    expect(bob.inbox.summary).toEqual([
      'conversation updated',
      'messagingInvitation completed Success',
      ...connected,
      'message completed Success',
    ]);
  });

  it('fails with a reason when it is declined, cancelled, or sent to an unknown person', async () => {
    const failed = (device: Device): Promise<object> => device.inbox.until('messagingInvitation', 'completed');
    await invite(alice, 'bob');
    expect(await bob.press(resourceHref(await bob.invited(), 'decline'), { reason: 'Global' })).toBe(204);
    expect(await failed(alice)).toMatchObject({
      status: 'Failure',
      reason: { code: 'RemoteFailure', subcode: 'Declined' },
      _embedded: { messagingInvitation: { state: 'Declined' } },
    });
    expect(await failed(bob)).toMatchObject({ reason: { code: 'LocalFailure', subcode: 'Declined' } });
    await bob.inbox.until('conversation', 'deleted');

    const [zoe, again] = [await world.device('zoe'), await world.device('alice')];
    const location = await invite(zoe, 'alice');
    await again.invited();
    const cancel = resourceHref(await zoe.client.read(location), 'cancel');
    expect([await zoe.press(cancel), await zoe.press(cancel)]).toEqual([204, 404]);
    expect(await failed(zoe)).toMatchObject({ reason: { code: 'LocalFailure', subcode: 'Canceled' } });
    expect(await failed(again)).toMatchObject({ reason: { code: 'RemoteFailure', subcode: 'Canceled' } });
    expect(await zoe.client.read(location)).toMatchObject({ state: 'Cancelled' });

    await world.signOutAll();
    await world.lurker('bob');
    for (const [to, reason] of [
      ['bob', { code: 'RemoteFailure', subcode: 'TemporarilyUnavailable' }],
      ['nobody', { code: 'NotFound', subcode: 'DestinationNotFound' }],
    ] as const) {
      const caller = await world.device('alice');
      await invite(caller, 'bob', { to: `sip:${to}@example.test` });
      expect(await failed(caller)).toMatchObject({ status: 'Failure', reason });
      expect(caller.inbox.summary.slice(-1)).toEqual(['conversation deleted']);
      expect(await caller.client.read(`${caller.self}/communication/conversations`)).toMatchObject({ _links: {} });
    }
  });

  it('tells the caller why it was declined, and does not accept an unknown reason', async () => {
    await invite(alice, 'bob');
    const decline = resourceHref(await bob.invited(), 'decline');
    const unknown = await bob.client.post(decline, { reason: 'Bored' });
    expect([unknown.status, await unknown.json()]).toMatchObject([
      400,
      { code: 'BadRequest', subcode: 'ParameterValidationFailure', parameters: [{ name: 'reason' }] },
    ]);
    expect(await bob.press(decline, { reason: 'busy' })).toBe(204);
    expect(await alice.inbox.until('messagingInvitation', 'completed')).toMatchObject({
      status: 'Failure',
      reason: { code: 'RemoteFailure', subcode: 'Busy' },
    });
  });

  it('may be sent in XML, with its first message in a link', async () => {
    const input =
      '<input xmlns="urn:ringdown:uc:v1"><property name="to">sip:bob@example.test</property>' +
      '<link rel="message" href="data:text/plain;charset=utf-8,R%26D+%3C1%3E &amp; more"/></input>';
    const href = `${alice.self}/communication/messagingInvitations`;
    const xml = { 'content-type': 'application/vnd.ringdown.uc+xml' };
    expect(await alice.press(href, input, xml)).toBe(201);
    const invitation = await bob.invited();
    expect(resourceHref(invitation, 'message')).toBe('data:text/plain;charset=utf-8,R%26D+%3C1%3E+%26+more');
    await bob.press(resourceHref(invitation, 'accept'));
    await bob.received('R&D <1> & more');
    const link = '<link rel="message" href="data:,a"/>';
    expect(await alice.press(href, input.replace('<link', `${link}<link`), xml)).toBe(400);
    expect(await alice.press(href, input.replace('rel="message"', ''), xml)).toBe(400);
  });

  it('rings everywhere, connects the first that accepts, and notifies the others', async () => {
    const tablet = await world.device('bob');
    await invite(alice, 'bob');
    const invitations = [await bob.invited(), await tablet.invited()];
    const statuses = await Promise.all([
      bob.press(resourceHref(invitations[0], 'accept')),
      tablet.press(resourceHref(invitations[1], 'accept')),
    ]);
    expect(new Set(statuses)).toEqual(new Set([204, 409]));
    const [winner, loser] = statuses[0] === 204 ? [bob, tablet] : [tablet, bob];
    await winner.connected();
    const updated = await loser.inbox.until('messagingInvitation', 'updated');
    expect(['accept', 'decline'].map((rel) => linksTo(shown(updated), rel))).toEqual([undefined, undefined]);
    expect(await loser.inbox.until('messagingInvitation', 'completed')).toMatchObject({
      status: 'Failure',
      reason: { code: 'Informational', subcode: 'ConnectedElsewhere' },
    });
    const { link } = await loser.inbox.until('conversation', 'deleted');
    expect((await loser.client.get(link.href)).status).toBe(404);
    const messaging = await alice.connected();
    await alice.sendMessage(messaging, 'only you');
    await winner.received('only you');
    expect(loser.inbox.summary).not.toContain('message completed Success');
  });

  it('rings where its user is available for messages, and can be sent by a user who is not', async () => {
    await world.lurker('bob');
    const zoe = await world.lurker('zoe');
    const location = await invite(zoe, 'bob');
    await bob.press(resourceHref(await bob.invited(), 'accept'));
    await bob.sendMessage(await bob.connected(), 'hello');
    await zoe.received('hello');
    expect((await zoe.client.get(location)).status).toBe(200);
  });

  it('is created once for a request that is repeated while it rings', async () => {
    const operation = { operationId: 'the same', subject: 'a' };
    const [one, two] = await Promise.all([invite(alice, 'bob', operation), invite(alice, 'bob', operation)]);
    expect(two).toBe(one);
    const list = await alice.client.read(`${alice.self}/communication/conversations?filter=active`);
    expect(linksTo(list, 'conversation')).toHaveLength(1);
  });
});
