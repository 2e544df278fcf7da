import { Bus } from '@ringdown/nats';
import { startNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { join } from 'node:path';
import type { PersonEntry } from '../src/index.js';
import { writePeopleFile } from '../src/doors/people-file.js';
import { StoreEditor, storeFirstPeople } from '../src/doors/stored.js';
import { outcomes, PeopleOnBus, person, replace } from './people-on-bus.js';

describe('an editor of the people on the bus', () => {
  let people: PeopleOnBus;
  let one: StoreEditor;
  let other: StoreEditor;

  beforeAll(async () => {
    people = await PeopleOnBus.start();
    [one, other] = [await people.openEditor(), await people.openEditor()];
  });
  afterAll(() => people.stop());

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
    const store = await people.openStore();
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
    for (const editor of [one, importing, await people.openEditor()]) {
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
    const peopleFile = join(people.folder, 'shared-names.json');
    const own = people.started.add(await startNats());
    const bus = await Bus.connect({ url: own.url, name: 'test', logger: quietLogger() });
    people.started.add({ stop: () => bus.close() });
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

  it('reads only the people that are wanted, in their newest state', async () => {
    await one.add(person('eve'));
    const few = await people.openEditor(
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
