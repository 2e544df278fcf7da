import { Bucket } from '@ringdown/nats/buckets';
import { eventually } from '@ringdown/testing/eventually';
import { moveEntry } from '../src/stored-entries/move-entry.js';
import {
  addContact,
  addedContacts,
  readContactUris,
  FormerNamesWorld,
  readPrivacyLevel,
  type SignedIn,
} from './former-names-world.js';
import { resourceHref, embeddedMe } from './web-client.js';

describe('a renamed person', () => {
  let world: FormerNamesWorld;

  beforeEach(async () => {
    world = await FormerNamesWorld.start();
    await world.storeOfBob();
  });
  afterEach(() => world.stop());

  async function expectAllMoved(): Promise<void> {
    const robert = await world.signInSoon('robert');
    await eventually(
      'the contact list',
      async () => String(await readContactUris(robert)) === 'sip:alice@example.test',
    );
    const me = resourceHref(embeddedMe(robert.application));
    await robert.client.post(`${me}/makeMeAvailable`, { supportedModalities: ['Messaging'] });
    await eventually('the note', async () => {
      const note = await robert.client.read(`${me}/note`);
      return Object(note).message === 'In Rome';
    });
    const { _embedded: meetings } = await robert.client.read(`${robert.self}/onlineMeetings/myOnlineMeetings`);
    const [meeting] = [Object(meetings)['myOnlineMeeting'] ?? []].flat();
    expect(meeting).toMatchObject({ subject: 'Plans', organizerUri: 'sip:robert@example.test' });
    expect(await readPrivacyLevel(robert, 'alice')).toBe('Workgroup');
    const alice = await world.signIn('alice');
    expect(await readContactUris(alice)).toEqual(['sip:robert@example.test']);
    expect(await readPrivacyLevel(alice, 'robert')).toBe('Workgroup');
  }

  /** Settings move after the contact list. */
  async function expectLevel(who: SignedIn, name: string): Promise<void> {
    await eventually('the settings', async () => (await readPrivacyLevel(who, name)) === 'Workgroup');
  }

  it('keeps contacts, settings, note and meetings, and stays the contact of others', async () => {
    expect(await world.rename('bob', 'robert')).toBe(0);
    await expectAllMoved();
  });

  it('keeps everything when the service was down during the rename', async () => {
    await world.stopService();
    expect(await world.rename('bob', 'robert')).toBe(0);
    await world.startService();
    await expectAllMoved();
  });

  it('is whole after the same rename again when the first one was killed in the middle', async () => {
    await world.interruptedRename('bob', 'robert');
    // Both names are there, and nothing has moved.
    expect(await readContactUris(await world.signIn('bob'))).toEqual(['sip:alice@example.test']);
    expect(await world.rename('bob', 'robert')).toBe(0);
    await expectAllMoved();
    await expect(world.token('bob')).rejects.toThrow('400');
    // Another person may have the old name, and begins with nothing.
    expect(await world.people('add', 'bob@example.test', '--name', 'Another Bob')).toBe(0);
    await world.stopService();
    await world.startService();
    await expectAllMoved();
  });

  it('keeps what was stored under both names while the rename was not finished', async () => {
    await world.interruptedRename('bob', 'robert');
    const robert = await world.signInSoon('robert');
    await addContact(robert, 'colleague.1');
    expect(await readContactUris(robert)).toEqual(['sip:colleague.1@example.test']);
    expect(await world.rename('bob', 'robert')).toBe(0);
    const again = await world.signInSoon('robert');
    await eventually('both contacts', async () => (await readContactUris(again)).length === 2);
    expect(await readContactUris(again)).toEqual(['sip:colleague.1@example.test', 'sip:alice@example.test']);
    await expectLevel(again, 'alice');
  });

  it('receives the contacts of the old name as events when the new one had contacts already', async () => {
    await world.interruptedRename('bob', 'robert');
    const robert = await world.signInSoon('robert');
    await addContact(robert, 'colleague.1');
    expect(await world.rename('bob', 'robert')).toBe(0);
    const again = await world.signInSoon('robert');
    expect(again.self).toBe(robert.self);
    const added = await addedContacts(again, resourceHref(robert.application, 'events'), 'alice');
    expect(added).not.toContain(`${again.self}/people/bob@example.test`);
  });

  it('keeps a contact who was renamed before', async () => {
    expect(await world.rename('alice', 'alicia')).toBe(0);
    expect(await world.rename('bob', 'robert')).toBe(0);
    const robert = await world.signInSoon('robert');
    await eventually('the contact list', async () => (await readContactUris(robert)).length > 0);
    expect(await readContactUris(robert)).toEqual(['sip:alicia@example.test']);
    await expectLevel(robert, 'alicia');
  });

  describe('with a new SIP address only', () => {
    async function expectAllAt(address: string): Promise<void> {
      const [alice, bob] = [await world.signIn('alice'), await world.signIn('bob')];
      await eventually(
        'the contact',
        async () => String(await readContactUris(alice)) === `sip:${address}@example.test`,
      );
      expect(await readPrivacyLevel(alice, address)).toBe('Workgroup');
      expect(await readContactUris(bob)).toEqual(['sip:alice@example.test']);
      expect(await readPrivacyLevel(bob, 'alice')).toBe('Workgroup');
      const contact = `${alice.self}/people/${address}@example.test`;
      await eventually(
        'the note',
        async () => Object(await alice.client.read(`${contact}/note`)).message === 'In Rome',
      );
      // The client of before is still available.
      expect(await alice.client.read(`${contact}/presence`)).toMatchObject({ availability: 'Online' });
      const { _embedded: meetings } = await bob.client.read(`${bob.self}/onlineMeetings/myOnlineMeetings`);
      const [meeting] = [Object(meetings)['myOnlineMeeting'] ?? []].flat();
      expect(meeting).toMatchObject({ subject: 'Plans', organizerUri: `sip:${address}@example.test` });
    }

    it('keeps everything, and the next person with the old one begins with nothing', async () => {
      expect(await world.readdress('bob', 'bobby')).toBe(0);
      await expectAllAt('bobby');
      expect(await world.readdress('bob', 'bobbie')).toBe(0);
      await expectAllAt('bobbie');
      const added = ['add', 'next@example.test', '--name', 'Next', '--sip', 'sip:bobby@example.test'];
      expect(await world.people(...added)).toBe(0);
      const alice = await world.signIn('alice');
      await eventually('the person', async () => (await readPrivacyLevel(alice, 'bobby')) !== undefined);
      expect(await readPrivacyLevel(alice, 'bobby')).toBe('Colleagues');
      const note = await alice.client.read(`${alice.self}/people/bobby@example.test/note`);
      expect(Object(note).message).not.toBe('In Rome');
    });

    it('keeps everything when it is changed twice while the service is down, or back again', async () => {
      await world.stopService();
      expect(await world.readdress('bob', 'bobby')).toBe(0);
      expect(await world.readdress('bob', 'bobbie')).toBe(0);
      await world.startService();
      await expectAllAt('bobbie');
      expect(await world.readdress('bob', 'bob')).toBe(0);
      await expectAllAt('bob');
    });
  });

  it('finds an entry that another replica has moved in part', async () => {
    const parse = (value: unknown): string => String(value);
    const bucket = await Bucket.open({ bus: world.bus, name: 'CONTACT_LISTS', maxAgeMs: 0, parse, role: 'user' });
    const [from, to] = [
      { username: 'old', sipAddress: 'sip:old@example.test' },
      { username: 'new', sipAddress: 'sip:new@example.test' },
    ];
    const move = (at: number, endedAt?: number): Promise<unknown> =>
      moveEntry({
        bucket,
        rename: { from, to, at, ...(endedAt === undefined ? {} : { endedAt }) },
        keyOf: (name) => name,
        read: ({ value }) => value,
        merge: (before, since) => `${since}, ${before}`,
      });
    const later = Date.now() + 60_000;
    await bucket.put('old', 'of the person');
    await bucket.put('new', 'changed since');
    const both = 'changed since, of the person';
    expect(await move(0)).toEqual({ before: 'changed since', after: both });
    expect([await bucket.get('old'), (await bucket.get('new'))?.value]).toEqual([undefined, both]);
    await bucket.put('old', 'of the person');
    await move(later, later);
    expect([await bucket.get('old'), (await bucket.get('new'))?.value]).toEqual([undefined, 'of the person']);
    expect(await move(later, later)).toBeUndefined();
    expect((await bucket.get('new'))?.value).toBe('of the person');
    await bucket.put('old', 'of another person since');
    await move(0, 1);
    expect((await bucket.get('old'))?.value).toBe('of another person since');
  });
});
