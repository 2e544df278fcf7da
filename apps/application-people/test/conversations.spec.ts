import { shown, type SeenEvent } from './inbox.js';
import { invite, MessagingWorld, incomingMessageText, type Device } from './messaging-world.js';
import { resourceHref, linksTo, type AnyResource } from './web-client.js';

let world: MessagingWorld;
let alice: Device;
let bob: Device;
let atAlice: AnyResource;
let atBob: AnyResource;

beforeAll(async () => {
  world = await MessagingWorld.start({
    MESSAGE_MAX_BYTES: '100',
    CONVERSATIONS_PER_APPLICATION: '3',
    MESSAGE_PICK_UP_SECONDS: '600',
  });
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.signOutAll();
  alice = await world.device('alice');
  bob = await world.device('bob');
  [atAlice, atBob] = await world.talking(alice, bob, 'bob');
});

function inboxTexts({ inbox }: Device): readonly (string | undefined)[] {
  return inbox.events.filter(({ link }) => link.rel === 'message').map((event) => incomingMessageText(event));
}

describe('a message', () => {
  it('is delivered to the other session once, in order, and confirmed when it was fetched', async () => {
    const first = await alice.sendMessage(atAlice, '1 + 1 = 2, 100% sure\r\n');
    expect(first).toBe(`${resourceHref(atAlice)}/messages/1`);
    const isFirst = ({ link }: { link: { href: string } }): boolean => link.href === first;
    for (const text of ['two', 'three']) await alice.sendMessage(atAlice, text);
    await bob.received('three');
    expect(inboxTexts(bob)).toEqual(['1 + 1 = 2, 100% sure\r\n', 'two', 'three']);
    expect(await alice.inbox.until('message', 'completed', isFirst)).toMatchObject({
      status: 'Success',
      _embedded: { message: { direction: 'Outgoing', _links: { messaging: { href: resourceHref(atAlice) } } } },
    });
    await bob.sendMessage(atBob, 'answer');
    await alice.received('answer');
  });

  it('is not delivered to another client of the same person', async () => {
    const tablet = await world.device('bob');
    await alice.sendMessage(atAlice, 'not for the tablet');
    await bob.received('not for the tablet');
    await invite(await world.device('zoe'), 'bob');
    await tablet.invited();
    expect(inboxTexts(tablet)).toEqual([]);
  });

  it('can be answered at its own URL, and read again by both', async () => {
    await alice.sendMessage(atAlice, 'question');
    const question = await bob.received('question');
    const { link } = question;
    expect(await bob.press(link.href, 'answer', { 'content-type': 'text/plain; charset=utf-8' })).toBe(201);
    await alice.received('answer');
    expect(await bob.client.read(link.href)).toEqual(shown(question));
    const participant = await bob.client.read(resourceHref(shown(question), 'participant'));
    expect(participant).toMatchObject({ uri: 'sip:alice@example.test' });
    const sent = await alice.client.read(`${resourceHref(atAlice)}/messages/1`);
    expect(sent).toMatchObject({ direction: 'Outgoing' });
    expect((await alice.client.get(`${resourceHref(atAlice)}/messages/9`)).status).toBe(404);
  });

  it('is sent once for one operation, on each side separately', async () => {
    const query = '?operationId=a';
    const same = await Promise.all([alice.sendMessage(atAlice, 'x', query), alice.sendMessage(atAlice, 'x', query)]);
    expect(same[0]).toBe(same[1]);
    expect(await bob.sendMessage(atBob, 'y', query)).not.toBe(same[0]);
    await alice.sendMessage(atAlice, 'last', '?OperationContext=b');
    await bob.received('last');
    expect(inboxTexts(bob).filter(Boolean)).toEqual(['x', 'last']);
  });

  it('has to be text of a limited length, in a conversation of the sender', async () => {
    const send = resourceHref(atAlice, 'sendMessage');
    const plain = { 'content-type': 'text/plain' };
    for (const [status, body, headers] of [
      [400, undefined, plain],
      [400, '', plain],
      [413, 'ä'.repeat(51), plain],
      [415, '{}', { 'content-type': 'application/json' }],
      [415, '<b>x</b>', { 'content-type': 'text/html' }],
      [201, 'ä'.repeat(50), plain],
    ] as const) {
      expect([body?.slice(0, 9), await alice.press(send, body, headers)]).toEqual([body?.slice(0, 9), status]);
    }
    expect(await alice.press(`${send}?operationId=${'x'.repeat(51)}`, 'x', plain)).toBe(400);
    const invalid = await fetch(alice.client.base + send, {
      method: 'POST',
      headers: { ...plain, authorization: `Bearer ${alice.client.token}` },
      body: Buffer.from([0x66, 0xff]),
    });
    expect(invalid.status).toBe(400);
    const zoe = await world.device('zoe');
    expect(await zoe.press(send, 'x', plain)).toBe(404);
    expect(await zoe.press(send.replace(alice.self, zoe.self), 'x', plain)).toBe(404);
    expect(await alice.press(send.replace(/conversations\/\w+/, 'conversations/none'), 'x', plain)).toBe(404);
  });

  it('may be in another charset than UTF-8', async () => {
    const sent = await fetch(alice.client.base + resourceHref(atAlice, 'sendMessage'), {
      method: 'POST',
      headers: { 'content-type': 'text/plain; charset=iso-8859-1', authorization: `Bearer ${alice.client.token}` },
      body: Buffer.from([0x5a, 0x6f, 0xeb]),
    });
    expect(sent.status).toBe(201);
    await bob.received('Zoë');
  });

  it('waits for a slow client, but not without limits', async () => {
    const texts = Array.from({ length: 50 }, (_none, n) => `${n}`);
    for (const text of texts) await alice.sendMessage(atAlice, text);
    const full = await alice.client.post(resourceHref(atAlice, 'sendMessage'), 'one more', {
      'content-type': 'text/plain',
    });
    expect([full.status, full.headers.get('retry-after')]).toEqual([429, '5']);
    await bob.received('49');
    expect(inboxTexts(bob)).toEqual(texts);
    await alice.inbox.until('message', 'completed', ({ link }) => link.href.endsWith('/50'));
    await alice.sendMessage(atAlice, 'now');
    await bob.received('now');
  });
});

describe('a conversation', () => {
  it('shows who is typing until the message is sent', async () => {
    const typing = resourceHref(atAlice, 'setIsTyping');
    expect([await alice.press(typing), await alice.press(typing)]).toEqual([204, 204]);
    const list = resourceHref(atBob, 'typingParticipants');
    const inList = (event: { in?: { href: string } }): boolean => event.in?.href === list;
    const added = await bob.inbox.until('participant', 'added', inList);
    expect(added.link.title).toBe('Alice Archer');
    expect(linksTo(await bob.client.read(list), 'participant')).toEqual([
      { href: added.link.href, title: 'Alice Archer' },
    ]);
    await alice.sendMessage(atAlice, 'done');
    await bob.received('done');
    const ofTyping = bob.inbox.events.filter((event) => inList(event));
    expect(ofTyping.map(({ type }) => type)).toEqual(['added', 'deleted']);
    expect(linksTo(await bob.client.read(list), 'participant')).toBeUndefined();
  });

  it('ends for both when one of them stops it, and can be started again', async () => {
    expect(await bob.press(resourceHref(atBob, 'stopMessaging'))).toBe(204);
    for (const [device, messaging] of [
      [alice, atAlice],
      [bob, atBob],
    ] as const) {
      const isOver = (event: SeenEvent): boolean => shown(event)['state'] === 'Disconnected';
      const over = await device.inbox.until('messaging', 'updated', isOver);
      const conversation = resourceHref(messaging, 'conversation');
      await device.inbox.until('conversation', 'deleted', ({ link }) => link.href === conversation);
      expect((await device.client.get(conversation)).status).toBe(404);
      expect(await device.press(resourceHref(messaging, 'sendMessage'), 'x', { 'content-type': 'text/plain' })).toBe(
        404,
      );
      expect(resourceHref(shown(over), 'addMessaging')).toMatch(/messagingInvitations$/);
    }
    bob.inbox.events.splice(0);
    expect(
      await alice.press(`${resourceHref(atAlice, 'conversation')}/messagingInvitations`, { operationId: 'b' }),
    ).toBe(201);
    expect(resourceHref(await bob.invited())).not.toBe('');
  });

  it('ends when the application at the other end does', async () => {
    await bob.client.send('DELETE', bob.self);
    const { href } = (await alice.inbox.until('conversation', 'deleted')).link;
    expect(href).toBe(resourceHref(atAlice, 'conversation'));
    const list = await alice.client.read(`${alice.self}/communication/conversations`);
    expect(linksTo(list, 'conversation')).toBeUndefined();
  });

  it('shows its two people only to them, and does not add others', async () => {
    const conversation = await alice.client.read(resourceHref(atAlice, 'conversation'));
    const participants = await alice.client.read(resourceHref(conversation, 'participants'));
    const links: unknown = linksTo(participants, 'participant');
    expect(links).toMatchObject([{ title: 'Alice Archer' }, { title: 'Bob Baker' }]);
    const local = await alice.client.read(resourceHref(conversation, 'localParticipant'));
    expect(local).toMatchObject({ rel: 'participant', local: true, uri: 'sip:alice@example.test' });
    const other = `${resourceHref(participants)}/BOB%40example.test`;
    expect(await alice.client.read(other)).toMatchObject({ name: 'Bob Baker', sourceNetwork: 'SameEnterprise' });
    for (const participant of [local, await alice.client.read(other)]) {
      expect(await alice.client.read(resourceHref(participant, 'participantMessaging'))).toMatchObject({
        _links: { participant: { href: resourceHref(participant) } },
      });
    }
    expect((await alice.client.get(`${resourceHref(participants)}/zoe@example.test`)).status).toBe(404);
    expect((await bob.client.get(resourceHref(conversation))).status).toBe(404);
    const refused = await alice.client.post(resourceHref(conversation, 'addParticipant'), {
      to: 'sip:zoe@example.test',
    });
    expect([refused.status, await refused.json()]).toMatchObject([403, { subcode: 'OperationNotSupported' }]);
  });

  it('is limited in number for each application', async () => {
    await invite(alice, 'bob');
    await invite(alice, 'bob');
    const refused = await alice.client.post(`${alice.self}/communication/messagingInvitations?to=sip:bob@example.test`);
    expect([refused.status, await refused.json()]).toMatchObject([409, { subcode: 'LimitExceeded' }]);
    const zoe = await world.device('zoe');
    await invite(zoe, 'bob');
    expect(await zoe.inbox.until('messagingInvitation', 'completed')).toMatchObject({
      reason: { code: 'RemoteFailure', subcode: 'Busy' },
    });
  });

  it('is returned in XML when requested', async () => {
    const accept = 'application/vnd.ringdown.uc+xml';
    const response = await alice.client.get(resourceHref(atAlice), { accept });
    expect(response.headers.get('content-type')).toBe(`${accept}; charset=utf-8`);
    expect(await response.text()).toContain(`<link rel="sendMessage" href="${resourceHref(atAlice, 'sendMessage')}"/>`);
    await bob.sendMessage(atBob, 'in <XML> & more');
    let packet = alice.inbox.next;
    while (!inboxTexts(alice).includes('in <XML> & more')) {
      packet = alice.inbox.next;
      await alice.inbox.poll();
    }
    // The next package was not requested yet, so this one is delivered again.
    const events = await alice.client.get(packet, { accept });
    const text = await events.text();
    expect(text).toContain('<property name="direction">Incoming</property>');
    expect(text).toContain('<link rel="plainMessage" href="data:text/plain;charset=utf-8,in+%3CXML%3E+%26+more"/>');
    expect(text).toMatch(/<property name="timeStamp">\d{4}-\d\d-\d\dT[\d:.]+Z<\/property>/);
  });

  it('continues after all services and the bus were down', async () => {
    await alice.sendMessage(atAlice, 'before');
    await world.restartAll();
    [alice, bob] = [world.moved(alice, 'alice'), world.moved(bob, 'bob')];
    await bob.received('before');
    await alice.sendMessage(atAlice, 'after');
    await bob.received('after');
    expect(bob.inbox.events.flatMap((event) => incomingMessageText(event) ?? [])).toEqual(['before', 'after']);
    const list = await alice.client.read(`${alice.self}/communication/conversations`);
    expect(linksTo(list, 'conversation')).toHaveLength(1);
  });
});
