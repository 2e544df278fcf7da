import { jest } from '@jest/globals';
import { Bucket } from '@ringdown/nats/buckets';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PersonEntry } from '../src/index.js';
import { currentAddresses, StoreEditor } from '../src/doors/stored.js';
import { HeldLock } from '../src/stored/rename-lock.js';
import { outcomes, PeopleOnBus, person, replace } from './people-on-bus.js';

/** The edit that gives a person this name. */
function named(name: string): (entry: PersonEntry) => PersonEntry {
  const username = `${name}@example.test`;
  return (entry) => ({ ...entry, username, sipAddress: `sip:${username}` });
}

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
      const title = (entry: PersonEntry): PersonEntry => ({ ...entry, title: 'Dean' });
      const [, changed] = await outcomes([one.change(username, named(`s${times}`)), other.change(username, title)]);
      expect([changed, (await one.find(`s${times}@example.test`))?.title]).toEqual(
        changed === 'done' ? ['done', 'Dean'] : [`unknown username ${username}`, undefined],
      );
    }
  });

  it('renames a person once when two administrators do so at the same moment', async () => {
    for (let times = 0; times < 10; times++) {
      const username = `t${times}@example.test`;
      await one.add(person(`t${times}`));
      const rename = (editor: StoreEditor): Promise<void> => editor.change(username, named(`u${times}`));
      const results = await outcomes([rename(one), rename(other)]);
      expect(results.toSorted()).toEqual(['done', `unknown username ${username}`]);
      expect([await one.find(username), (await one.find(`u${times}@example.test`))?.name]).toEqual([
        undefined,
        `t${times}`,
      ]);
    }
  });

  it('renames a person once when two administrators want other names at the same moment', async () => {
    for (let times = 0; times < 20; times++) {
      const username = `v${times}@example.test`;
      await one.add(person(`v${times}`));
      const rename = (editor: StoreEditor, name: string): Promise<void> => editor.change(username, named(name));
      const results = await outcomes([rename(one, `w${times}`), rename(other, `x-${times}`)]);
      const left = (await one.list()).filter(({ name }) => name === `v${times}`);
      expect([times, results.filter((each) => each === 'done').length, left.map((each) => each.username)]).toEqual([
        times,
        1,
        [results[0] === 'done' ? `w${times}@example.test` : `x-${times}@example.test`],
      ]);
    }
  });

  it('removes a person, or renames them, when three administrators do so at the same moment', async () => {
    const store = await people.openStore();
    const third = await people.openEditor();
    for (let times = 0; times < 40; times++) {
      const [username, name] = [`k${times}@example.test`, `l${times}`];
      await one.add(person(`k${times}`));
      const removal = async (editor: StoreEditor): Promise<void> => {
        await sleep(times % 8);
        await editor.remove(username);
      };
      const results = await outcomes([one.change(username, named(name)), removal(other), removal(third)]);
      const left = (await one.list()).filter((each) => each.name === `k${times}`).map((each) => each.username);
      await store.catchUp();
      const isRemoved = store.state.removalOf(username)?.endedAt !== undefined;
      const unknown = `unknown username ${username}`;
      expect([times, results[0], results.slice(1).toSorted(), left, isRemoved]).toEqual(
        results[0] === 'done'
          ? [times, 'done', [unknown, unknown], [`${name}@example.test`], false]
          : [times, unknown, ['done', unknown], [], true],
      );
    }
  });

  it('renames a contact of others while one of these is renamed, too', async () => {
    for (let times = 0; times < 10; times++) {
      await one.add(person(`a${times}`));
      await one.add(person(`b${times}`, { contacts: [`a${times}@example.test`] }));
      const both = [
        one.change(`a${times}@example.test`, named(`c${times}`)),
        other.change(`b${times}@example.test`, named(`d${times}`)),
      ];
      expect(await outcomes(both)).toEqual(['done', 'done']);
      expect((await one.find(`d${times}@example.test`))?.contacts).toEqual([`c${times}@example.test`]);
    }
  });

  it('renames a person of whom another rename was interrupted before it had stored anything else', async () => {
    const store = await people.openStore();
    await one.add(person('zoe'));
    await store.renames.begin(person('zoe'), person('zoe-1'));
    await one.change('zoe@example.test', named('zoe-2'));
    const left = (await one.list()).filter(({ name }) => name === 'zoe');
    expect(left.map(({ username }) => username)).toEqual(['zoe-2@example.test']);
    await store.catchUp();
    const current = currentAddresses({ people: store.state.people, renames: store.state.renames }, 0);
    expect(current('sip:zoe@example.test')).toBe('sip:zoe-2@example.test');
  });

  it('does not store a person a third time of whom another rename was interrupted later, or leave one of two', async () => {
    const [store, few] = [
      await people.openStore(),
      await people.openEditor(({ username }) => username !== 'ida-1@example.test'),
    ];
    await one.add(person('ida'));
    await store.renames.begin(person('ida'), person('ida-1'));
    await one.add({ ...person('ida-1'), name: 'ida' });
    const why =
      'a rename of ida@example.test to ida-1@example.test was interrupted; repeat it, or remove ida-1@example.test';
    for (const editor of [one, few]) {
      const results = await outcomes([
        editor.change('ida@example.test', named('ida-2')),
        editor.remove('ida@example.test'),
      ]);
      expect(results).toEqual([why, why]);
    }
    await one.change('ida@example.test', (entry) => ({ ...entry, blocked: true, title: 'Dean' }));
    await one.change('ida@example.test', named('ida-1'));
    await one.change('ida-1@example.test', named('ida-2'));
    const left = (await one.list()).filter(({ name }) => name === 'ida');
    expect(left).toEqual([expect.objectContaining({ username: 'ida-2@example.test', blocked: true, title: 'Dean' })]);
  });

  it('keeps what the person has when a removal was interrupted before', async () => {
    const store = await people.openStore();
    await one.add(person('leo'));
    await store.beginRemoval(person('leo'));
    await one.change('leo@example.test', named('leon'));
    await store.catchUp();
    expect(store.state.removalOf('leo@example.test')).toBeUndefined();
  });

  it('waits for another rename or removal as long as that goes on, and not for one that was killed', async () => {
    const timeouts = { lockTimeoutMs: 1_000 };
    const [slow, killed] = [await people.openStore(timeouts), await people.openStore(timeouts)];
    const waiting = new StoreEditor(await people.openStore(timeouts));
    await one.add(person('gus'));
    const order: string[] = [];
    let renamed: Promise<void> | undefined;
    await slow.renameLock.hold('gus@example.test', async (lock) => {
      renamed = waiting.change('gus@example.test', named('gus-1')).then(() => void order.push('the rename'));
      await sleep(2_000);
      await lock.confirm();
      order.push('the one before');
    });
    await renamed;
    expect(order).toEqual(['the one before', 'the rename']);
    // A process that stands still does not renew the lock.
    jest.spyOn(HeldLock.prototype, 'renewSoon').mockReturnValue();
    await killed.renameLock.hold('gus-1@example.test', async (lock) => {
      await waiting.change('gus-1@example.test', named('gus-2'));
      // When it goes on, it stores nothing that would decide.
      await expect(lock.confirm()).rejects.toThrow('gus-1@example.test is changed by others all the time; try again');
    });
    jest.restoreAllMocks();
    await waiting.remove('gus-2@example.test');
  });

  it('does not take another person with the new name for an interrupted rename', async () => {
    await one.add(person('vic', { title: 'Dean' }));
    const store = await people.openStore();
    const [vic, will] = [person('vic'), person('will', { name: 'Another Will' })];
    await store.catchUp();
    await store.renames.begin(vic, will);
    await one.add(will);
    expect(await outcomes([one.change(vic.username, named('will'))])).toEqual(['will@example.test already exists']);
    expect([(await one.find(vic.username))?.title, (await one.find(will.username))?.name]).toEqual([
      'Dean',
      'Another Will',
    ]);
  });

  it('renames a person in the contacts of others', async () => {
    await one.change('ben@example.test', named('benny'));
    expect((await other.find('ann@example.test'))?.contacts).toEqual(['benny@example.test']);
    expect(await other.find('ben@example.test')).toBeUndefined();
  });
});
