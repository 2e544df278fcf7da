import { jest } from '@jest/globals';
import { Bus } from '@ringdown/nats';
import { Bucket } from '@ringdown/nats/buckets';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PersonEntry } from '../src/index.js';
import { writePeopleFile } from '../src/doors/people-file.js';
import { currentAddresses, PeopleStore, StoreEditor, storeFirstPeople, type Wanted } from '../src/doors/stored.js';

function person(name: string, more: Partial<PersonEntry> = {}): PersonEntry {
  const username = `${name}@example.test`;
  return { username, name, sipAddress: `sip:${username}`, phones: {}, roles: ['user'], contacts: [], ...more };
}

function replace(_current: PersonEntry, entry: PersonEntry): PersonEntry {
  return entry;
}

describe('an editor of the people on the bus', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-editor-'));
  const started = new Started();
  let nats: TestNats;
  let one: StoreEditor;
  let other: StoreEditor;

  async function openStore(more: { wanted?: Wanted | undefined; renameLeftMs?: number } = {}): Promise<PeopleStore> {
    const bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    const store = await PeopleStore.open({ bus, logger: quietLogger(), role: 'user', ...more });
    started.add({
      stop: async () => {
        store.close();
        await bus.close();
      },
    });
    return store;
  }

  async function open(wanted?: Wanted): Promise<StoreEditor> {
    return new StoreEditor(await openStore({ wanted }));
  }

  beforeAll(async () => {
    nats = started.add(await startNats());
    const peopleFile = join(folder, 'people.json');
    await writePeopleFile(peopleFile, [person('ann', { contacts: ['ben@example.test'] }), person('ben')]);
    const bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    await storeFirstPeople({ bus, logger: quietLogger(), peopleFile });
    await bus.close();
    [one, other] = [await open(), await open()];
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true });
  });

  async function outcomes(work: readonly Promise<void>[]): Promise<readonly string[]> {
    const settled = await Promise.allSettled(work);
    return settled.map((each) => (each.status === 'fulfilled' ? 'done' : String(each.reason.message)));
  }

  it('rejects a new username that looks like another one', async () => {
    const problem = 'ann\uFE0F@example.test has characters that cannot be seen';
    await expect(one.add(person('ann\uFE0F'))).rejects.toThrow(problem);
    const rename = (entry: PersonEntry): PersonEntry => ({ ...entry, username: 'ann\uFE0F@example.test' });
    await expect(one.change('ben@example.test', rename)).rejects.toThrow(problem);
  });

  it('gives one SIP address to one of two people who are added at the same moment', async () => {
    for (let times = 0; times < 20; times++) {
      const sipAddress = `sip:shared-${times}@example.test`;
      const [first, second] = [person(`x${times}`, { sipAddress }), person(`y${times}`, { sipAddress })];
      const results = await outcomes([one.add(first), other.add(second)]);
      expect(results.filter((result) => result === 'done')).toHaveLength(1);
      expect(results.filter((result) => result.startsWith(`${sipAddress} is the SIP address of `))).toHaveLength(1);
      const owners = (await one.list()).filter((each) => each.sipAddress === sipAddress);
      expect(owners).toHaveLength(1);
    }
  });

  it('gives one SIP address to one of two people who are changed at the same moment', async () => {
    for (const name of ['cy', 'di']) await one.add(person(name));
    const sipAddress = 'sip:wanted@example.test';
    const move = (entry: PersonEntry): PersonEntry => ({ ...entry, sipAddress });
    const results = await outcomes([one.change('cy@example.test', move), other.change('di@example.test', move)]);
    expect(results.filter((result) => result === 'done')).toHaveLength(1);
    const addresses = (await other.list())
      .filter(({ name }) => ['cy', 'di'].includes(name))
      .map((each) => each.sipAddress);
    expect(addresses.filter((address) => address === sipAddress)).toHaveLength(1);
    expect(new Set(addresses).size).toBe(2);
  });

  it('notes the old SIP address of each change that is made, and of no other', async () => {
    const store = await openStore();
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
    const store = await openStore();
    await store.catchUp();
    const current = currentAddresses({ people: store.state.people, renames: store.state.renames }, 0);
    expect(['kim', 'kim-1'].map((name) => current(`sip:${name}@example.test`))).toEqual([
      'sip:kim-2@example.test',
      'sip:kim-2@example.test',
    ]);
  });

  it('gives one SIP address to one of the people of two imports at the same moment, and leaves the others', async () => {
    const shared = (n: number): string => `sip:import-${n}@example.test`;
    const imported = (name: string): readonly PersonEntry[] => [
      ...Array.from({ length: 20 }, (_, n) => person(`${name}${n}`, { sipAddress: shared(n) })),
      person(`${name}-alone`),
    ];
    await one.add(person('shifted'));
    const moved = person('shifted', { sipAddress: shared(3) });
    const [first, second] = await Promise.all([
      one.putAll([...imported('m'), moved], { merge: replace }),
      other.putAll(imported('n')),
    ]);
    const stored = new Map((await one.list()).map((entry) => [entry.username, entry]));
    for (let n = 0; n < 20; n++) {
      const owners = [...stored.values()].filter(({ sipAddress }) => sipAddress === shared(n));
      expect([n, owners.length]).toEqual([n, 1]);
    }
    for (const name of ['m-alone', 'n-alone', 'shifted']) expect([...stored.keys()]).toContain(`${name}@example.test`);
    const rejected = [...first, ...second];
    // Of 21 in the first import, one person wanted what another one of it has.
    expect(rejected).toHaveLength(21);
    for (const { username, reason } of rejected) {
      expect([username, reason]).toEqual([
        username,
        expect.stringMatching(/^sip:import-\d+@.* is the SIP address of /),
      ]);
      expect(stored.get(username)?.sipAddress).toBe(
        username === 'shifted@example.test' ? 'sip:shifted@example.test' : undefined,
      );
    }
    expect(new Set((await other.list()).map(({ sipAddress }) => sipAddress)).size).toBe(stored.size);
  });

  it('merges an imported person with a change that is made at the same moment', async () => {
    await one.add(person('meg'));
    for (let times = 1; times <= 20; times++) {
      await Promise.all([
        one.putAll([person('meg', { title: `Title ${times}` })], {
          merge: ({ signOuts = 0 }, entry) => ({ ...entry, signOuts }),
        }),
        other.change('meg@example.test', (entry) => ({ ...entry, signOuts: times })),
      ]);
      expect(await one.find('meg@example.test')).toMatchObject({ title: `Title ${times}`, signOuts: times });
    }
  });

  it('leaves people who were added since an import was checked, also while it is written', async () => {
    await one.add(person('before', { title: 'Added' }));
    const store = await openStore();
    const createAll = store.createAll.bind(store);
    store.createAll = async (...args) => {
      await one.add(person('during', { title: 'Added' }));
      return createAll(...args);
    };
    const importing = new StoreEditor(store);
    const imported = ['before', 'during', 'alone'].map((name) => person(name, { title: 'Imported' }));
    expect(await importing.putAll(imported)).toEqual(
      ['before', 'during'].map((name) => ({
        username: `${name}@example.test`,
        reason: `${name}@example.test was added by others meanwhile`,
      })),
    );
    for (const editor of [one, importing, await open()]) {
      const titles = await Promise.all(imported.map(async ({ username }) => (await editor.find(username))?.title));
      expect(titles).toEqual(['Added', 'Added', 'Imported']);
    }
  });

  it('gives one SIP address to one of an import and a person who is added', async () => {
    const sipAddress = 'sip:both@example.test';
    const results = await Promise.allSettled([
      one.putAll([person('imported', { sipAddress })]),
      other.add(person('single', { sipAddress })),
    ]);
    const kept = results.map((each) => each.status === 'fulfilled' && (each.value ?? []).length === 0);
    const owners = (await one.list()).filter((each) => each.sipAddress === sipAddress);
    expect([kept.filter(Boolean).length, owners.length]).toEqual([1, 1]);
  });

  it('gives one name to one of two people who want it as username and as SIP address at the same moment', async () => {
    for (let times = 0; times < 20; times++) {
      const name = `name-${times}@example.test`;
      const named = person(`name-${times}`, { sipAddress: `sip:own-${times}@example.test` });
      const addressed = person(`z${times}`, { sipAddress: `sip:${name}` });
      const results = await outcomes([one.add(named), other.add(addressed)]);
      const reasons = [
        `${name} is the SIP address of z${times}@example.test`,
        `sip:${name} is the username of ${name}`,
      ];
      expect([reasons[0], 'done', reasons[1]]).toContain(results[0]);
      expect(results[1]).toBe(results[0] === 'done' ? reasons[1] : 'done');
      const found = (await one.list()).map(({ username }) => username);
      expect(found.filter((username) => [named.username, addressed.username].includes(username))).toHaveLength(1);
    }
  });

  it('does not copy a people file in which one has the SIP address of another as username', async () => {
    const peopleFile = join(folder, 'shared-names.json');
    const own = started.add(await startNats());
    const bus = await Bus.connect({ url: own.url, name: 'test', logger: quietLogger() });
    started.add({ stop: () => bus.close() });
    const copy = (): Promise<void> => storeFirstPeople({ bus, logger: quietLogger(), peopleFile });
    const ann = person('ann', { sipAddress: 'sip:lee@example.test' });
    await writePeopleFile(peopleFile, [ann, person('ben', { sipAddress: 'sip:ann@example.test' })]);
    await expect(copy()).rejects.toThrow('sip:ann@example.test is the username of ann@example.test');
    await writePeopleFile(peopleFile, [ann, person('ben')]);
    await copy();
  });

  it('keeps an administrator when two take the role from each other, or remove each other', async () => {
    const admin = {
      roles: ['user', 'admin'],
      passwordHash: `$argon2id$v=19$m=19456,t=2,p=1$${'a'.repeat(22)}$${'b'.repeat(43)}`,
    } as const;
    const drop = ({ roles: _roles, ...entry }: PersonEntry): PersonEntry => ({ ...entry, roles: ['user'] });
    for (let times = 0; times < 10; times++) {
      const [x, y] = [`ax${times}@example.test`, `ay${times}@example.test`];
      await one.add(person(`ax${times}`, admin));
      await one.add(person(`ay${times}`, admin));
      const changes = times % 2 === 0 ? [one.change(x, drop), other.change(y, drop)] : [one.remove(x), other.remove(y)];
      const results = await outcomes(changes);
      const left = (await one.list()).filter(({ roles }) => roles.includes('admin'));
      expect([results.includes('done') ? 1 : 2, results.join()]).toEqual([
        left.length,
        expect.stringContaining('the last administrator'),
      ]);
      for (const { username } of left) await one.remove(username, { force: true });
    }
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

  it('renames a person of whom another rename was interrupted', async () => {
    const store = await openStore({ renameLeftMs: 50 });
    await one.add(person('zoe'));
    await store.catchUp();
    const stored = store.state.get('zoe@example.test');
    expect(stored !== undefined && (await store.beginRename(stored, person('zoe-1')))).toBe(true);
    const renamed = { username: 'zoe-2@example.test', sipAddress: 'sip:zoe-2@example.test' };
    await new StoreEditor(store).change('zoe@example.test', (entry) => ({ ...entry, ...renamed }));
    const left = (await one.list()).filter(({ name }) => name === 'zoe');
    expect(left.map(({ username }) => username)).toEqual([renamed.username]);
    const current = currentAddresses({ people: store.state.people, renames: store.state.renames }, 0);
    expect(current('sip:zoe@example.test')).toBe(renamed.sipAddress);
  });

  it('does not take another person with the new name for an interrupted rename', async () => {
    await one.add(person('vic', { title: 'Dean' }));
    const store = await openStore();
    const [vic, will] = [person('vic'), person('will', { name: 'Another Will' })];
    await store.catchUp();
    const stored = store.state.get(vic.username);
    expect(stored !== undefined && (await store.beginRename(stored, will))).toBe(true);
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

  it('reads only the people that are wanted, in their newest state', async () => {
    await one.add(person('eve'));
    const few = await open(
      ({ sipAddress, username }) =>
        ['sip:eve@example.test', 'sip:moved@example.test'].includes(String(sipAddress)) ||
        username === 'ann@example.test',
    );
    expect((await few.list()).map(({ name }) => name).toSorted()).toEqual(['ann', 'eve']);
    await one.change('eve@example.test', (entry) => ({ ...entry, sipAddress: 'sip:gone@example.test' }));
    expect((await few.list()).map(({ name }) => name)).toEqual(['ann']);
    await one.change('eve@example.test', (entry) => ({ ...entry, sipAddress: 'sip:moved@example.test' }));
    expect((await few.list()).map(({ name }) => name).toSorted()).toEqual(['ann', 'eve']);
  });
});
