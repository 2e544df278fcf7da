import { Bucket, Bus } from '@ringdown/nats';
import { eventually, quietLogger, Started, startNats, type TestNats } from '@ringdown/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { moveEntry } from '../src/stored-entries/move-entry.js';
import {
  startApplicationPeople,
  startDiscoveryAuth,
  tokenOf,
  writePeople,
  type RunningService,
} from './running-services.js';
import { hrefOf, meOf, WebClient, type AnyResource } from './web-client.js';

const PEOPLE_MAIN = new URL('../../../discovery-auth/dist/src/people-main.js', import.meta.url).pathname;
/** They all have bob as a contact, so that his rename takes a while. */
const COLLEAGUES = Array.from({ length: 300 }, (_, n) => `colleague.${n}`);

describe('a renamed person', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-renamed-'));
  const started = new Started();
  let nats: TestNats;
  let auth: RunningService;
  let service: RunningService;
  let bus: Bus;

  beforeEach(async () => {
    await writePeople(join(folder, 'people.json'), [
      { user: 'alice', name: 'Alice Archer', contacts: ['bob'] },
      { user: 'bob', name: 'Bob Baker' },
      ...COLLEAGUES.map((user) => ({ user, name: user, contacts: ['bob'] })),
    ]);
    nats = started.add(await startNats());
    auth = started.add(await startDiscoveryAuth(nats.urlOf('discovery-auth'), { DATA_DIR: folder }));
    service = await start();
    bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    started.add({ stop: () => bus.close() });
  });
  afterEach(() => started.stopAll());
  afterAll(() => rmSync(folder, { recursive: true }));

  async function start(): Promise<RunningService> {
    return started.add(await startApplicationPeople(nats.urlOf('application-people'), { DATA_DIR: folder }));
  }

  async function signIn(user: string): Promise<{ client: WebClient; application: AnyResource; self: string }> {
    const client = new WebClient(service.base, await tokenOf(auth.base, user));
    const application = await client.create('phone');
    return { client, application, self: hrefOf(application) };
  }

  function run(...argv: readonly string[]): ReturnType<typeof spawn> {
    const env = { NATS_URL: nats.urlOf('discovery-auth') };
    return spawn(process.execPath, [PEOPLE_MAIN, ...argv], { env, stdio: 'ignore' });
  }

  async function rename(from: string, to: string): Promise<number | null> {
    const child = run('rename', `${from}@example.test`, `${to}@example.test`);
    await once(child, 'exit');
    return child.exitCode;
  }

  async function contactsOf({ client, self }: { client: WebClient; self: string }): Promise<unknown> {
    const { _embedded: embedded } = await client.read(`${self}/people/contacts`);
    return [embedded?.['contact'] ?? []].flat().map((contact) => Object(contact).uri);
  }

  async function levelOf(client: WebClient, self: string, name: string): Promise<unknown> {
    return Object(await client.read(`${self}/people/${name}@example.test/privacyRelationship`)).relationshipLevel;
  }

  /** Bob stores something in every way; Alice has him in her own list and among her relationships. */
  async function storeOfBob(): Promise<void> {
    const [bob, alice] = [await signIn('bob'), await signIn('alice')];
    const memberships = `${bob.self}/people/groupMemberships`;
    const added = { contactUri: 'sip:alice@example.test', groupId: 'pinned' };
    expect((await bob.client.post(memberships, added)).status).toBe(201);
    const me = hrefOf(meOf(bob.application));
    expect((await bob.client.post(`${me}/makeMeAvailable`, { supportedModalities: ['Messaging'] })).status).toBe(204);
    expect((await bob.client.post(`${me}/note`, { message: 'In Rome' })).status).toBe(204);
    expect((await bob.client.post(`${bob.self}/onlineMeetings/myOnlineMeetings`, { subject: 'Plans' })).status).toBe(
      201,
    );
    for (const [{ client, self }, other] of [
      [bob, 'alice'],
      [alice, 'bob'],
    ] as const) {
      const path = `${self}/people/${other}@example.test/privacyRelationship`;
      const before = await client.read(path);
      const body = { ...before, relationshipLevel: 'Workgroup' };
      expect((await client.send('PUT', path, body, { 'if-match': `"${before.etag}"` })).status).toBe(204);
    }
    const own = { contactUri: 'sip:bob@example.test', groupId: 'pinned' };
    expect((await alice.client.post(`${alice.self}/people/groupMemberships`, own)).status).toBe(201);
  }

  async function expectAllMoved(): Promise<void> {
    await eventually('the sign-in', () => tokenOf(auth.base, 'robert').catch(() => false as const));
    const robert = await signIn('robert');
    await eventually('the contact list', async () => String(await contactsOf(robert)) === 'sip:alice@example.test');
    const me = hrefOf(meOf(robert.application));
    await robert.client.post(`${me}/makeMeAvailable`, { supportedModalities: ['Messaging'] });
    await eventually('the note', async () => {
      const note = await robert.client.read(`${me}/note`);
      return Object(note).message === 'In Rome';
    });
    const { _embedded: meetings } = await robert.client.read(`${robert.self}/onlineMeetings/myOnlineMeetings`);
    const [meeting] = [Object(meetings)['myOnlineMeeting'] ?? []].flat();
    expect(meeting).toMatchObject({ subject: 'Plans', organizerUri: 'sip:robert@example.test' });
    expect(await levelOf(robert.client, robert.self, 'alice')).toBe('Workgroup');
    const alice = await signIn('alice');
    expect(await contactsOf(alice)).toEqual(['sip:robert@example.test']);
    expect(await levelOf(alice.client, alice.self, 'robert')).toBe('Workgroup');
  }

  it('keeps contacts, settings, note and meetings, and stays the contact of others', async () => {
    await storeOfBob();
    expect(await rename('bob', 'robert')).toBe(0);
    await expectAllMoved();
  });

  it('keeps everything when the service was down during the rename', async () => {
    await storeOfBob();
    await service.stop();
    expect(await rename('bob', 'robert')).toBe(0);
    service = await start();
    await expectAllMoved();
  });

  it('is whole after the same rename again when the first one was killed in the middle', async () => {
    await storeOfBob();
    const people = await Bucket.open({ bus, name: 'PEOPLE', maxAgeMs: 0, parse: String, role: 'user' });
    const child = run('rename', 'bob@example.test', 'robert@example.test');
    const key = `person-${Buffer.from('robert@example.test').toString('base64url')}`;
    await eventually('the new name', () => people.get(key));
    child.kill('SIGKILL');
    await once(child, 'exit');
    // Both names are there, and nothing has moved.
    expect(await contactsOf(await signIn('bob'))).toEqual(['sip:alice@example.test']);
    expect(await rename('bob', 'robert')).toBe(0);
    await expectAllMoved();
    await expect(tokenOf(auth.base, 'bob')).rejects.toThrow('400');
    // Another person may have the old name, and begins with nothing.
    const child2 = run('add', 'bob@example.test', '--name', 'Another Bob');
    await once(child2, 'exit');
    expect(child2.exitCode).toBe(0);
    await service.stop();
    service = await start();
    await expectAllMoved();
  });

  it('finds an entry that another replica has moved in part', async () => {
    const parse = (value: unknown): string => String(value);
    const bucket = await Bucket.open({ bus, name: 'CONTACT_LISTS', maxAgeMs: 0, parse, role: 'user' });
    const [from, to] = [
      { username: 'old', sipAddress: 'sip:old@example.test' },
      { username: 'new', sipAddress: 'sip:new@example.test' },
    ];
    const move = (at: number, endedAt?: number): Promise<void> =>
      moveEntry(bucket, { from, to, at, ...(endedAt === undefined ? {} : { endedAt }) }, (name) => name);
    const later = Date.now() + 60_000;
    await bucket.put('old', 'of the person');
    await bucket.put('new', 'changed since');
    await move(0);
    expect([await bucket.get('old'), (await bucket.get('new'))?.value]).toEqual([undefined, 'changed since']);
    await bucket.put('old', 'of the person');
    await move(later, later);
    expect([await bucket.get('old'), (await bucket.get('new'))?.value]).toEqual([undefined, 'of the person']);
    await move(later, later);
    expect((await bucket.get('new'))?.value).toBe('of the person');
    await bucket.put('old', 'of another person since');
    await move(0, 1);
    expect((await bucket.get('old'))?.value).toBe('of another person since');
  });
});
