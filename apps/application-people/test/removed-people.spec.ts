import { Bucket } from '@ringdown/nats/buckets';
import { eventually } from '@ringdown/testing/eventually';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addContact, readContactUris, FormerNamesWorld } from './former-names-world.js';
import { PASSWORD } from './running-services.js';

/** The smallest PNG: one pixel. */
const PHOTO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('a removed person', () => {
  let world: FormerNamesWorld;

  beforeEach(async () => {
    world = await FormerNamesWorld.start();
    mkdirSync(join(world.folder, 'photos'));
    await world.storeOfBob();
    writeFileSync(photoOf('bob'), PHOTO);
  });
  afterEach(() => world.stop());

  function photoOf(user: string): string {
    return join(world.folder, 'photos', `${user}@example.test.png`);
  }

  /** Everything that application-people keeps for people, as text. */
  async function kept(): Promise<readonly string[]> {
    const parse = (value: unknown): string => JSON.stringify(value);
    const names = ['CONTACT_LISTS', 'MEETINGS', 'PRESENCE'];
    const buckets = await Promise.all(
      names.map((name) => Bucket.open({ bus: world.bus, name, maxAgeMs: 0, parse, role: 'user' })),
    );
    const all = await Promise.all(buckets.map((bucket) => bucket.entries('>')));
    return all.flatMap((entries) => [...entries.values()].map(({ value }) => value));
  }

  async function expectNothingOfBob(): Promise<void> {
    await eventually('the deletion', async () => {
      // What alice has stored of bob is hers.
      const ofBob = (await kept()).filter((text) => /alice@example|Plans|In Rome/.test(text));
      return ofBob.every((text) => text.includes('"sipAddress":"sip:alice@example.test"'));
    });
  }

  /** As when a time-out, a call or another try to notify watchers changes it, without Bob. */
  async function touchPresenceOfBob(): Promise<void> {
    const parse = (value: unknown): unknown => value;
    const bucket = await Bucket.open({ bus: world.bus, name: 'PRESENCE', maxAgeMs: 0, parse, role: 'user' });
    let touched = 0;
    for (const [key, { value }] of await bucket.entries('user.*')) {
      const text = JSON.stringify(value);
      if (!text.includes('In Rome')) continue;
      touched++;
      expect(text).toMatch(/"tellingSince":\d+/);
      await bucket.put(key, JSON.parse(text.replace(/"tellingSince":\d+/, `"tellingSince":${Date.now()}`)));
    }
    expect(touched).toBe(1);
  }

  /** Under the name of a removed person. */
  async function addAnotherBob(): Promise<void> {
    const file = join(world.folder, 'new.csv');
    writeFileSync(file, `username,name,password\nbob@example.test,Another Bob,${PASSWORD}\n`);
    expect(await world.people('import', file)).toBe(0);
  }

  it('leaves no contacts, settings, meetings, note and photo, and the next one with the name begins with nothing', async () => {
    const alice = await world.signIn('alice');
    const path = `${alice.self}/photos/bob@example.test`;
    expect((await alice.client.get(path)).status).toBe(200);
    expect(await world.people('remove', 'bob@example.test')).toBe(0);
    await expectNothingOfBob();
    await eventually('the photo to be deleted', () => !existsSync(photoOf('bob')));
    await addAnotherBob();
    const another = await world.signInSoon('bob');
    expect(await readContactUris(another)).toEqual([]);
    expect((await alice.client.get(path)).status).toBe(404);
    // What the new one has stays, also when everything starts again.
    await addContact(another, 'colleague.1');
    writeFileSync(photoOf('bob'), PHOTO);
    await world.stopService();
    await world.startService();
    const again = await world.signIn('bob');
    expect(await readContactUris(again)).toEqual(['sip:colleague.1@example.test']);
    expect((await again.client.get(`${again.self}/photos/bob@example.test`)).status).toBe(200);
  });

  it('leaves what the person has under the old name when a rename was interrupted, and the new one is removed', async () => {
    await world.interruptedRename('bob', 'robert');
    expect(await world.people('remove', 'robert@example.test')).toBe(0);
    await world.stopService();
    await world.startService();
    expect(await readContactUris(await world.signIn('bob'))).toEqual(['sip:alice@example.test']);
    expect(existsSync(photoOf('bob'))).toBe(true);
  });

  it('leaves no note when the presence has changed by itself since', async () => {
    await world.stopService();
    expect(await world.people('remove', 'bob@example.test')).toBe(0);
    await touchPresenceOfBob();
    await world.startService();
    await expectNothingOfBob();
  });

  it('takes nothing from one who gets the name later, also when everything starts again', async () => {
    expect(await world.people('remove', 'colleague.1@example.test')).toBe(0);
    expect(await world.rename('bob', 'colleague.1')).toBe(0);
    const ofBob = async (): Promise<readonly string[]> =>
      (await kept()).filter((text) => /Plans|In Rome/.test(text) && text.includes('sip:colleague.1@'));
    await eventually('the move', async () => (await ofBob()).length === 2);
    await world.stopService();
    await world.startService();
    expect(await ofBob()).toHaveLength(2);
  });

  it('leaves nothing either after a rename and a removal during which the service was down', async () => {
    await world.stopService();
    expect(await world.rename('bob', 'robert')).toBe(0);
    expect(await world.people('remove', 'robert@example.test')).toBe(0);
    await world.startService();
    await expectNothingOfBob();
  });
});
