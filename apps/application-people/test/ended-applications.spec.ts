import type { Bus } from '@ringdown/nats';
import { Bucket } from '@ringdown/nats/buckets';
import { eventually } from '@ringdown/testing/eventually';
import { invite, MessagingWorld, type Device } from './messaging-world.js';

let world: MessagingWorld;
let bus: Bus;

beforeAll(async () => {
  world = await MessagingWorld.start();
  bus = await world.replicas.bus();
});
afterAll(() => world.stop());

/** With the markers that a deletion leaves. */
async function entries(bucket: string): Promise<number> {
  return (await bus.jsm.streams.info(`KV_${bucket}`)).state.messages;
}

async function end({ client, self }: Device): Promise<void> {
  expect((await client.send('DELETE', self)).status).toBe(204);
}

/** As if everything about it was long over. */
async function age(key: string): Promise<void> {
  const parse = (value: unknown): object => Object(value);
  const bucket = await Bucket.open({ bus, name: 'CONVERSATIONS', maxAgeMs: 0, parse, role: 'user' });
  const { conversation, ...stored } = Object((await bucket.get(key))?.value);
  expect(conversation).toMatchObject({ phase: 'ended' });
  await bucket.put(key, { ...stored, conversation: { ...conversation, usedAt: 0 }, outbox: [], due: 0 });
}

describe('applications that have ended', () => {
  it('leave no entry on the bus, with and without conversations and subscriptions', async () => {
    const before = await entries('OWN_CONVERSATIONS');
    for (let n = 0; n < 25; n++) await end(await world.lurker('alice'));
    for (let n = 0; n < 25; n++) {
      const device = await world.lurker('zoe');
      const path = `${device.self}/people/contactsAndGroupsSubscription`;
      expect(await device.press(path, { duration: 30 })).toBe(201);
      await end(device);
    }
    expect(await entries('OWN_CONVERSATIONS')).toBe(before);
  });

  it('leave none of their conversations either when these are over', async () => {
    const [alice, bob] = [await world.device('alice'), await world.device('bob')];
    const location = await invite(alice, 'bob');
    await bob.invited();
    await end(alice);
    const id = location.slice(location.lastIndexOf('/') + 1);
    await bob.inbox.until('conversation', 'deleted');
    expect(await entries('CONVERSATIONS')).toBe(1);
    await age(`conversation.${id}`);
    await eventually('the conversation to be gone', async () => (await entries('CONVERSATIONS')) === 0);
  });
});
