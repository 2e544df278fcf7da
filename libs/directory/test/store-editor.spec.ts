import { Bus } from '@ringdown/nats';
import { quietLogger, Started, startNats, type TestNats } from '@ringdown/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  PeopleStore,
  StoreEditor,
  storeFirstPeople,
  writePeopleFile,
  type PersonEntry,
  type Wanted,
} from '../src/index.js';

function person(name: string, more: Partial<PersonEntry> = {}): PersonEntry {
  const username = `${name}@example.test`;
  return { username, name, sipAddress: `sip:${username}`, phones: {}, roles: ['user'], contacts: [], ...more };
}

describe('an editor of the people on the bus', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-editor-'));
  const started = new Started();
  let nats: TestNats;
  let one: StoreEditor;
  let other: StoreEditor;

  async function open(wanted?: Wanted): Promise<StoreEditor> {
    const bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    const editor = new StoreEditor(await PeopleStore.open({ bus, logger: quietLogger(), role: 'user', wanted }));
    started.add({
      stop: async () => {
        await editor.close();
        await bus.close();
      },
    });
    return editor;
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
