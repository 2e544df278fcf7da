import { Bucket } from '@ringdown/nats/buckets';
import { eventually } from '@ringdown/testing/eventually';
import { FormerNamesWorld, type SignedIn } from './former-names-world.js';
import { Device, invite } from './messaging-world.js';
import { PASSWORD } from './running-services.js';
import { resourceHref, embeddedMe, type AnyResource } from './web-client.js';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

describe('the client of a person whose name is gone', () => {
  let world: FormerNamesWorld;

  beforeEach(async () => {
    world = await FormerNamesWorld.start();
  });
  afterEach(() => world.stop());

  /** Bob is in a conversation with Alice; her side of it. */
  async function conversation(): Promise<{ bob: SignedIn; alice: Device; messaging: AnyResource }> {
    const [bob, { client, application }] = [await world.signIn('bob'), await world.signIn('alice')];
    const me = resourceHref(embeddedMe(bob.application));
    expect((await bob.client.post(`${me}/makeMeAvailable`, { supportedModalities: ['Messaging'] })).status).toBe(204);
    const [alice, callee] = [new Device(client, application), new Device(bob.client, bob.application)];
    await invite(alice, 'bob');
    await callee.press(resourceHref(await callee.invited(), 'accept'));
    const messaging = await alice.connected();
    await alice.sendMessage(messaging, 'a secret');
    await callee.received('a secret');
    return { bob, alice, messaging };
  }

  async function expectEnd({ alice, messaging }: { alice: Device; messaging: AnyResource }): Promise<void> {
    await eventually('the end of the conversation', async () => {
      const answer = await alice.client.get(resourceHref(messaging));
      return answer.status === 404 || Object(await answer.json()).state === 'Disconnected';
    });
  }

  /** Another person with the name of Bob, whose client calls itself as the one of the first did. */
  async function addAnotherBob(): Promise<void> {
    const file = join(world.folder, 'new.csv');
    writeFileSync(file, `username,name,password\nbob@example.test,Another Bob,${PASSWORD}\n`);
    expect(await world.people('import', file)).toBe(0);
  }

  async function expectNothingOf({ self }: SignedIn): Promise<void> {
    await addAnotherBob();
    const another = await world.signInSoon('bob');
    expect(another.self).not.toBe(self);
    for (const path of [self, `${self}/communication/conversations`, `${self}/events?ack=1`]) {
      expect((await another.client.get(path)).status).toBe(404);
    }
    // The new one's client stays, also when everything starts again.
    await world.stopService();
    await world.startService();
    expect((await world.signIn('bob')).self).toBe(another.self);
  }

  /** As versions before have stored applications. */
  async function forgetTimes(): Promise<void> {
    const parse = (value: unknown): unknown => value;
    const bucket = await Bucket.open({ bus: world.bus, name: 'APPLICATIONS', maxAgeMs: 0, parse, role: 'user' });
    for (const [key, { value }] of await bucket.entries('own.*')) {
      const text = JSON.stringify(value);
      expect(text).toContain('"createdAt"');
      await bucket.put(key, JSON.parse(text.replaceAll(/,"createdAt":\d+/g, '')));
    }
  }

  it('ends with its conversations when the person is removed, and the next one with the name does not get it', async () => {
    const before = await conversation();
    expect(await world.people('remove', 'bob@example.test')).toBe(0);
    await expectEnd(before);
    await expectNothingOf(before.bob);
  });

  it('ends with its conversations when the person is renamed, and the next one with the name does not get it', async () => {
    const before = await conversation();
    expect(await world.rename('bob', 'robert')).toBe(0);
    await expectEnd(before);
    await expectNothingOf(before.bob);
    expect((await world.signIn('robert')).self).not.toBe(before.bob.self);
  });

  it.each([
    ['removal', () => world.people('remove', 'bob@example.test'), false],
    ['rename', () => world.rename('bob', 'robert'), false],
    ['removal, and was of a version before', () => world.people('remove', 'bob@example.test'), true],
  ])('ends also when the service was down during the %s', async (_what, change, isOfEarlierVersion) => {
    const { self } = await world.signIn('bob');
    await world.stopService();
    if (isOfEarlierVersion) await forgetTimes();
    expect(await change()).toBe(0);
    await addAnotherBob();
    await world.startService();
    expect((await world.signInSoon('bob')).self).not.toBe(self);
  });
});
