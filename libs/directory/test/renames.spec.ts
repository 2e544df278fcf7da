import { jest } from '@jest/globals';
import { Bucket } from '@ringdown/nats/buckets';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PersonEntry } from '../src/index.js';
import { currentAddresses, StoreEditor } from '../src/doors/stored.js';
import { outcomes, PeopleOnBus, person, replace } from './people-on-bus.js';

describe('a person on the bus who gets another name', () => {
  let people: PeopleOnBus;
  let one: StoreEditor;
  let other: StoreEditor;

  beforeAll(async () => {
    people = await PeopleOnBus.start();
    [one, other] = [await people.openEditor(), await people.openEditor()];
  });
  afterAll(() => people.stop());

  it('notes the old SIP address of each change that is made, and of no other', async () => {
    const store = await people.openStore();
    const to = (name: string) => (entry: PersonEntry) => ({ ...entry, sipAddress: `sip:${name}@example.test` });
    const noted = async (): Promise<unknown> => {
      await store.catchUp();
      const ended = [...store.state.renames].filter(({ from }) => from.username === 'pat@example.test');
      return ended.map(({ from, to: now, endedAt }) => [from.sipAddress, now.sipAddress, endedAt !== undefined]);
    };
    await one.add(person('pat'));
    await one.add(person('sue'));
    const taken = { ...person('pat'), sipAddress: 'sip:sue@example.test' };
    expect(await one.putAll([taken], { merge: replace })).toMatchObject([{ username: 'pat@example.test' }]);
    expect(await outcomes([one.change('pat@example.test', to('sue'))])).toEqual([expect.stringContaining('of sue@')]);
    expect(await noted()).toEqual([]);
    for (let times = 0; times < 10; times++) {
      const [before, after] = [await one.find('pat@example.test'), `p${times}`];
      await outcomes([one.change('pat@example.test', to(after)), other.change('pat@example.test', to(`q${times}`))]);
      const now = (await one.find('pat@example.test'))?.sipAddress;
      await store.catchUp();
      const current = currentAddresses({ people: store.state.people, renames: store.state.renames }, 0);
      expect([current(String(before?.sipAddress)), current(`sip:${after}@example.test`)]).toEqual([now, now]);
    }
    await one.putAll([{ ...person('pat'), sipAddress: 'sip:pat@example.test' }], { merge: replace });
    expect(await noted()).toContainEqual([expect.any(String), 'sip:pat@example.test', true]);
  });

  it('notes the old SIP address also of a change that is made while another one begins', async () => {
    const address = (name: string) => (entry: PersonEntry) => ({ ...entry, sipAddress: `sip:${name}@example.test` });
    await one.add(person('kim'));
    // As if the first one had been delayed after it has read what is noted of the old address.
    const reading = jest.spyOn(Bucket.prototype, 'getNewest');
    reading.mockImplementationOnce(async function (this: Bucket<unknown>, key) {
      const found = await this.get(key);
      await other.change('kim@example.test', address('kim-1'));
      return found;
    });
    await one.change('kim@example.test', address('kim-2'));
    reading.mockRestore();
    const store = await people.openStore();
    await store.catchUp();
    const current = currentAddresses({ people: store.state.people, renames: store.state.renames }, 0);
    expect(['kim', 'kim-1'].map((name) => current(`sip:${name}@example.test`))).toEqual([
      'sip:kim-2@example.test',
      'sip:kim-2@example.test',
    ]);
  });

  it('does not lose a change that is made during a rename or a removal', async () => {
    for (let times = 0; times < 10; times++) {
      await one.add(person(`r${times}`));
      const username = `r${times}@example.test`;
      const renamed = { username: `s${times}@example.test`, sipAddress: `sip:s${times}@example.test` };
      const title = (entry: PersonEntry): PersonEntry => ({ ...entry, title: 'Dean' });
      const [, changed] = await outcomes([
        one.change(username, (entry) => ({ ...entry, ...renamed })),
        other.change(username, title),
      ]);
      expect([changed, (await one.find(renamed.username))?.title]).toEqual(
        changed === 'done' ? ['done', 'Dean'] : [`unknown username ${username}`, undefined],
      );
    }
  });

  it('renames a person once when two administrators do so at the same moment', async () => {
    for (let times = 0; times < 10; times++) {
      const [username, name] = [`t${times}@example.test`, `u${times}`];
      await one.add(person(`t${times}`));
      const renamed = { username: `${name}@example.test`, sipAddress: `sip:${name}@example.test` };
      const rename = (editor: StoreEditor): Promise<void> =>
        editor.change(username, (entry) => ({ ...entry, ...renamed }));
      const results = await outcomes([rename(one), rename(other)]);
      expect(results).toContain('done');
      expect([await one.find(username), (await one.find(renamed.username))?.name]).toEqual([undefined, `t${times}`]);
    }
  });

  it('renames a person once when two administrators want other names at the same moment', async () => {
    for (let times = 0; times < 20; times++) {
      const username = `v${times}@example.test`;
      await one.add(person(`v${times}`));
      const rename = (editor: StoreEditor, name: string): Promise<void> =>
        editor.change(username, (entry) => ({
          ...entry,
          username: `${name}@example.test`,
          sipAddress: `sip:${name}@example.test`,
        }));
      const results = await outcomes([rename(one, `w${times}`), rename(other, `x-${times}`)]);
      const left = (await one.list()).filter(({ name }) => name === `v${times}`);
      expect([times, results.filter((each) => each === 'done').length, left.map((each) => each.username)]).toEqual([
        times,
        1,
        [results[0] === 'done' ? `w${times}@example.test` : `x-${times}@example.test`],
      ]);
    }
  });

  it('removes a person, or renames them, when administrators do both at the same moment', async () => {
    const store = await people.openStore();
    for (let times = 0; times < 40; times++) {
      const [username, name] = [`k${times}@example.test`, `l${times}`];
      await one.add(person(`k${times}`));
      const renamed = { username: `${name}@example.test`, sipAddress: `sip:${name}@example.test` };
      await sleep(times % 2);
      const results = await outcomes([
        one.change(username, (entry) => ({ ...entry, ...renamed })),
        other.remove(username),
      ]);
      const left = (await one.list()).filter((each) => each.name === `k${times}`).map((each) => each.username);
      await store.catchUp();
      const isRemoved = store.state.removalOf(username) !== undefined;
      expect([times, ...results, left, isRemoved]).toEqual(
        results[0] === 'done'
          ? [times, 'done', `unknown username ${username}`, [renamed.username], false]
          : [times, `unknown username ${username}`, 'done', [], true],
      );
    }
  });

  it('renames a person of whom another rename was interrupted', async () => {
    const store = await people.openStore({ renameTimeoutMs: 50 });
    await one.add(person('zoe'));
    await store.catchUp();
    const stored = store.state.get('zoe@example.test');
    expect(stored !== undefined && (await store.renames.begin(stored, person('zoe-1')))).toBe(true);
    const renamed = { username: 'zoe-2@example.test', sipAddress: 'sip:zoe-2@example.test' };
    await new StoreEditor(store).change('zoe@example.test', (entry) => ({ ...entry, ...renamed }));
    const left = (await one.list()).filter(({ name }) => name === 'zoe');
    expect(left.map(({ username }) => username)).toEqual([renamed.username]);
    const current = currentAddresses({ people: store.state.people, renames: store.state.renames }, 0);
    expect(current('sip:zoe@example.test')).toBe(renamed.sipAddress);
  });

  it('does not take another person with the new name for an interrupted rename', async () => {
    await one.add(person('vic', { title: 'Dean' }));
    const store = await people.openStore();
    const [vic, will] = [person('vic'), person('will', { name: 'Another Will' })];
    await store.catchUp();
    const stored = store.state.get(vic.username);
    expect(stored !== undefined && (await store.renames.begin(stored, will))).toBe(true);
    await one.add(will);
    const renamed = { username: will.username, sipAddress: will.sipAddress };
    expect(await outcomes([one.change(vic.username, (entry) => ({ ...entry, ...renamed }))])).toEqual([
      'will@example.test already exists',
    ]);
    expect([(await one.find(vic.username))?.title, (await one.find(will.username))?.name]).toEqual([
      'Dean',
      'Another Will',
    ]);
  });

  it('renames a person in the contacts of others', async () => {
    await one.change('ben@example.test', (entry) => ({
      ...entry,
      username: 'benny@example.test',
      sipAddress: 'sip:benny@example.test',
    }));
    expect((await other.find('ann@example.test'))?.contacts).toEqual(['benny@example.test']);
    expect(await other.find('ben@example.test')).toBeUndefined();
  });
});
