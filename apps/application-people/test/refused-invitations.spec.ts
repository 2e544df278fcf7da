import { Bucket } from '@ringdown/nats/buckets';
import { eventually } from '@ringdown/testing/eventually';
import { InvitationAllowances } from '../src/messaging/guests/invitation-allowances.js';
import { invite, MessagingWorld, type Device } from './messaging-world.js';
import { resourceHref } from './web-client.js';

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

describe('an invitation', () => {
  it('does not reach a user in DoNotDisturb until the user changes that', async () => {
    const { _embedded: embedded } = await bob.client.read(bob.self);
    const presence = resourceHref(embedded?.['me'], 'presence');
    expect(await bob.press(presence, { availability: 'DoNotDisturb' })).toBe(204);
    await invite(alice, 'bob', { importance: 'Emergency' });
    expect(await alice.inbox.until('messagingInvitation', 'completed')).toMatchObject({
      status: 'Failure',
      reason: { code: 'RemoteFailure', subcode: 'DoNotDisturb' },
    });
    expect(await bob.press(presence, { availability: 'Busy' })).toBe(204);
    await invite(alice, 'bob', { subject: 'Now?' });
    expect(await bob.invited()).toMatchObject({ subject: 'Now?' });
  });

  it('is rejected for both sides when another one of the same thread is open', async () => {
    const thread = { threadId: 'a thread' };
    await invite(alice, 'bob', { ...thread, operationId: 'one' });
    await bob.press(resourceHref(await bob.invited(), 'accept'));
    const messaging = await alice.connected();
    const again = { to: 'sip:zoe@example.test', ...thread };
    const refused = await alice.client.post(`${alice.self}/communication/messagingInvitations`, again);
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { code: 'Conflict', subcode: 'ThreadIdAlreadyExists' },
    ]);
    const repeated = { to: 'sip:bob@example.test', ...thread, operationId: 'one' };
    expect(await alice.press(`${alice.self}/communication/messagingInvitations`, repeated)).toBe(409);
    const zoe = await world.device('zoe');
    await invite(zoe, 'bob', thread);
    expect(await zoe.inbox.until('messagingInvitation', 'completed')).toMatchObject({
      reason: { code: 'RemoteFailure', subcode: 'ThreadIdAlreadyExists' },
    });
    await alice.press(resourceHref(messaging, 'stopMessaging'));
    await alice.inbox.until('conversation', 'deleted');
    await bob.inbox.until('conversation', 'deleted');
    bob.inbox.events.splice(0);
    await invite(alice, 'bob', thread);
    expect(await bob.invited()).toMatchObject({ threadId: 'a thread' });
  });

  it('keeps its message only while it rings', async () => {
    const message = 'data:text/plain,A%20long%20message';
    await invite(alice, 'zoe', { message });
    await alice.inbox.until('messagingInvitation', 'completed', ({ status }) => status === 'Failure');
    await invite(alice, 'bob', { message });
    expect(await stored()).toContain('A long message');
    await bob.press(resourceHref(await bob.invited(), 'accept'));
    await bob.received('A long message');
    await eventually('the message to be gone', async () => !(await stored()).includes('A long message'));
  });

  it('is refused when the person has sent too many', async () => {
    const allowances = await InvitationAllowances.open({ bus: await world.replicas.bus() });
    const invited = { to: 'sip:nobody@example.test' };
    const path = `${alice.self}/communication/messagingInvitations`;
    expect(await alice.press(path, invited)).toBe(201);
    // On a slow machine, one more is allowed again by the time it is sent.
    const refused = await eventually('an invitation too many', async () => {
      while (await allowances.admit('alice@example.test'));
      const answer = await alice.client.post(path, invited);
      return answer.status !== 201 && answer;
    });
    expect([refused.status, await refused.json()]).toMatchObject([409, { subcode: 'LimitExceeded' }]);
    expect(await bob.press(`${bob.self}/communication/messagingInvitations`, invited)).toBe(201);
  });
});

/** All stored conversations, as text. */
async function stored(): Promise<string> {
  const parse = (value: unknown): string => JSON.stringify(value);
  const bus = await world.replicas.bus();
  const bucket = await Bucket.open({ bus, name: 'CONVERSATIONS', maxAgeMs: 0, parse, role: 'user' });
  return [...(await bucket.entries()).values()].map(({ value }) => value).join('\n');
}
