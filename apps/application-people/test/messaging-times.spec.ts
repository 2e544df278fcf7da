import { shown, type SeenEvent } from './inbox.js';
import { Bus } from '@ringdown/nats';
import { LinkBuilder } from '@ringdown/hypermedia';
import { eventually } from '@ringdown/testing/eventually';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { defaultProfile } from '@ringdown/vendor-profile';
import { channelKey } from '../src/events/channel-key.js';
import { ConversationStore } from '../src/messaging/conversations/conversation-store.js';
import { MESSAGING_RULES } from '../src/messaging/conversations/conversation.js';
import { invite as inviting } from '../src/messaging/invitation.js';
import { noticeEvents } from '../src/messaging/messaging-events.js';
import { MessagingLinks } from '../src/messaging/messaging-links.js';
import { Device, userSipAddress, invite, MessagingWorld, incomingMessageText } from './messaging-world.js';
import { embeddedMe, resourceHref, type AnyResource, type WebClient } from './web-client.js';

let world: MessagingWorld;
let alice: Device;
let bob: Device;

/** A client of Bob beside the one of every test. */
async function availableDevice(client: WebClient, application: AnyResource): Promise<Device> {
  const device = new Device(client, application);
  const available = { supportedModalities: ['Messaging'], supportedMessageFormats: ['Plain'] };
  expect(await device.press(resourceHref(embeddedMe(application), 'makeMeAvailable'), available)).toBe(204);
  return device;
}

function inWorld(settings: Readonly<Record<string, string>>): void {
  beforeAll(async () => {
    world = await MessagingWorld.start(settings);
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    await world.signOutAll();
    alice = await world.device('alice');
    bob = await world.device('bob');
  });
}

describe('without a response', () => {
  inWorld({ INVITATION_SECONDS: '2' });

  it('an invitation fails for both', async () => {
    const location = await invite(alice, 'bob');
    const invitation = await bob.invited();
    expect(await alice.inbox.until('messagingInvitation', 'completed')).toMatchObject({
      status: 'Failure',
      reason: { code: 'RemoteFailure', subcode: 'Timeout' },
      _embedded: { messagingInvitation: { state: 'Failed' } },
    });
    expect(await bob.inbox.until('messagingInvitation', 'completed')).toMatchObject({
      reason: { code: 'LocalFailure', subcode: 'Timeout' },
    });
    expect(await bob.press(resourceHref(invitation, 'accept'))).toBe(409);
    expect(await alice.client.read(location)).toMatchObject({ state: 'Failed' });
  });
});

describe('after its timeout', () => {
  inWorld({ MESSAGE_PICK_UP_SECONDS: '2' });

  it('a message that was not fetched has failed, and is not delivered later', async () => {
    const [atAlice, atBob] = await world.talking(alice, bob, 'bob');
    const sent = await alice.sendMessage(atAlice, 'too late');
    const failed = await alice.inbox.until('message', 'completed');
    const { status, reason } = failed;
    expect({ status, reason }).toEqual({ status: 'Failure', reason: { code: 'RemoteFailure', subcode: 'Timeout' } });
    expect(shown(failed)).toMatchObject({
      _links: { self: { href: sent }, failedDeliveryParticipant: [{ title: 'Bob Baker' }] },
    });
    await bob.press(resourceHref(atBob, 'setIsTyping'));
    await alice.inbox.until('participant', 'added', (event) => event.in?.rel === 'typingParticipants');
    await alice.press(resourceHref(atAlice, 'stopMessaging'));
    await bob.inbox.until('conversation', 'deleted');
    expect(bob.inbox.events.map((event) => incomingMessageText(event))).not.toContain('too late');
  });

  it('a message has failed also when a tab was opened since that never had it', async () => {
    const { client } = bob;
    const tab = await availableDevice(client, await client.create('tabs', { instanceId: '1' }));
    const [atAlice] = await world.talking(alice, tab, 'bob');
    await alice.sendMessage(atAlice, 'for the first tab');
    await client.create('tabs', { instanceId: '2' });
    expect(await alice.inbox.until('message', 'completed')).toMatchObject({
      status: 'Failure',
      reason: { code: 'RemoteFailure', subcode: 'Timeout' },
    });
    // Without the tab, all of it.
    expect((await client.send('DELETE', tab.self.replace(/\?.*/, ''))).status).toBe(204);
  });

  it('a message has failed also when the poll that could have fetched it ended with its token', async () => {
    const channels = await world.replicas.channels();
    const client = (await world.replicas.user('bob')).at(world.replicas.other);
    const device = await availableDevice(client, await client.create('revoked'));
    const [atAlice] = await world.talking(alice, device, 'bob');
    const isWaiting = async (): Promise<boolean> => {
      return (await channels.read(channelKey(device.application.id ?? '', null))).waiter !== null;
    };
    // Events about the presence of Bob wait longer than the test takes.
    const poll = client.get(`${device.inbox.next}&medium=1800`);
    await eventually('the poll to wait', isWaiting);
    await world.replicas.revoke(client);
    expect((await poll).status).toBe(401);
    await eventually('the poll to be withdrawn', async () => !(await isWaiting()));
    await alice.sendMessage(atAlice, 'to nobody');
    expect(await alice.inbox.until('message', 'completed')).toMatchObject({ status: 'Failure' });
    expect((await bob.client.send('DELETE', device.self)).status).toBe(204);
  });

  it('a person who stopped typing without a message is not shown as typing any more', async () => {
    const [, atBob] = await world.talking(alice, bob, 'bob');
    await bob.press(resourceHref(atBob, 'setIsTyping'));
    const ofTyping = (event: SeenEvent): boolean => event.in?.rel === 'typingParticipants';
    const added = await alice.inbox.until('participant', 'added', ofTyping);
    expect((await alice.inbox.until('participant', 'deleted', ofTyping)).link).toEqual(added.link);
  });
});

describe('work that a crashed replica has left', () => {
  // With the default times: a busy machine may take two seconds to fetch a message.
  inWorld({});

  it('is completed by another replica: an invitation that was stored and not delivered', async () => {
    const bus = await Bus.connect({ url: world.replicas.nats.peopleUrl, name: 'test', logger: quietLogger() });
    const builder = new LinkBuilder({ web: defaultProfile.web, publicOrigin: 'https://uc.example.test' });
    const now = Date.now;
    const store = await ConversationStore.open({
      bus,
      rules: MESSAGING_RULES,
      now,
      eventsOf: (notice, conversation) => noticeEvents(notice, conversation, new MessagingLinks(builder, notice.to)),
    });
    const party = (name: 'alice' | 'bob'): { uri: string; name: string; username: string } => ({
      uri: userSipAddress(name),
      name,
      username: `${name}@example.test`,
    });
    const wanted = {
      id: 'abcdef0123456789abcd',
      threadId: 'x',
      importance: 'Normal' as const,
      firstMessage: { format: 'Plain' as const, text: 'left behind' },
      caller: party('alice'),
      callerAt: alice.application.id ?? '',
      formats: ['Plain'] as const,
      callee: party('bob'),
    };
    const ringing = { applications: [bob.application.id ?? ''], failure: undefined };
    await store.create(inviting(wanted, ringing, now(), MESSAGING_RULES));
    expect(await bob.press(resourceHref(await bob.invited(), 'accept'))).toBe(204);
    await bob.received('left behind');
    await alice.connected();
    expect(bob.inbox.summary.filter((each) => each === 'messagingInvitation started')).toHaveLength(1);
    await eventually('the events to be delivered', async () => (await store.read(wanted.id))?.outbox.length === 0);
    await bus.close();
  });
});
