import { Bus } from '@ringdown/nats';
import { Bucket } from '@ringdown/nats/buckets';
import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { programEnvironment } from '@ringdown/testing/program-environment';
import { programFile } from '@ringdown/testing/program-file';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  startApplicationPeople,
  startDiscoveryAuth,
  fetchUserToken,
  writePeople,
  type RunningService,
} from './running-services.js';
import { resourceHref, embeddedMe, WebClient, type AnyResource } from './web-client.js';

const PEOPLE_MAIN = programFile('discovery-auth', 'people');
/** They all have bob as a contact, so that his rename takes a while. */
const COLLEAGUES = Array.from({ length: 300 }, (_, n) => `colleague.${n}`);

export interface SignedIn {
  readonly client: WebClient;
  readonly application: AnyResource;
  readonly self: string;
}

interface Services {
  readonly folder: string;
  readonly started: Started;
  readonly nats: TestNats;
  readonly auth: RunningService;
  readonly bus: Bus;
}

/** Services whose people are renamed and removed with the command `people`. */
export class FormerNamesWorld {
  private constructor(
    private readonly services: Services,
    private service: RunningService,
  ) {}

  static async start(): Promise<FormerNamesWorld> {
    const folder = mkdtempSync(join(tmpdir(), 'ringdown-former-names-'));
    await writePeople(join(folder, 'people.json'), [
      { user: 'alice', name: 'Alice Archer', contacts: ['bob'] },
      { user: 'bob', name: 'Bob Baker' },
      ...COLLEAGUES.map((user) => ({ user, name: user, contacts: ['bob'] })),
    ]);
    const started = new Started();
    const nats = started.add(await startNats());
    const auth = started.add(await startDiscoveryAuth(nats.urlOf('discovery-auth'), { DATA_DIR: folder }));
    const bus = await Bus.connect({ url: nats.peopleUrl, name: 'test', logger: quietLogger() });
    started.add({ stop: () => bus.close() });
    const services = { folder, started, nats, auth, bus };
    return new FormerNamesWorld(services, await startService(services));
  }

  get folder(): string {
    return this.services.folder;
  }

  get bus(): Bus {
    return this.services.bus;
  }

  async stop(): Promise<void> {
    await this.services.started.stopAll();
    rmSync(this.folder, { recursive: true });
  }

  stopService(): Promise<void> {
    return this.service.stop();
  }

  async startService(): Promise<void> {
    this.service = await startService(this.services);
  }

  token(user: string): Promise<string> {
    return fetchUserToken(this.services.auth.base, user);
  }

  async signIn(user: string): Promise<SignedIn> {
    const client = new WebClient(this.service.base, await this.token(user));
    const application = await client.create('phone');
    return { client, application, self: resourceHref(application) };
  }

  /** As {@link signIn}, when the services know the name. */
  signInSoon(user: string): Promise<SignedIn> {
    return eventually(`the sign-in of ${user}`, () => this.signIn(user).catch(() => false as const));
  }

  run(...argv: readonly string[]): ChildProcess {
    const env = { ...programEnvironment(), NATS_URL: this.services.nats.urlOf('discovery-auth') };
    return spawn(process.execPath, [PEOPLE_MAIN, ...argv], { env, stdio: 'ignore' });
  }

  /** Resolves with the exit code. */
  async people(...argv: readonly string[]): Promise<number | null> {
    const child = this.run(...argv);
    await once(child, 'exit');
    return child.exitCode;
  }

  rename(from: string, to: string): Promise<number | null> {
    return this.people('rename', `${from}@example.test`, `${to}@example.test`);
  }

  /** Gives a person another SIP address, and the same username; resolves with the exit code. */
  async readdress(user: string, address: string): Promise<number | null> {
    const file = join(this.folder, 'readdressed.csv');
    writeFileSync(file, `username,name,sipAddress\n${user}@example.test,${user},sip:${address}@example.test\n`);
    return this.people('import', file, '--update');
  }

  /** Kills the command when both names are there. */
  async interruptedRename(from: string, to: string): Promise<void> {
    const people = await Bucket.open({ bus: this.bus, name: 'PEOPLE', maxAgeMs: 0, parse: String, role: 'user' });
    const child = this.run('rename', `${from}@example.test`, `${to}@example.test`);
    const key = `person-${Buffer.from(`${to}@example.test`).toString('base64url')}`;
    await eventually('the new name', () => people.get(key));
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** Bob stores something in every way; Alice has him in her own list and among her relationships. */
  async storeOfBob(): Promise<void> {
    const [bob, alice] = [await this.signIn('bob'), await this.signIn('alice')];
    await addContact(bob, 'alice');
    const me = resourceHref(embeddedMe(bob.application));
    expect((await bob.client.post(`${me}/makeMeAvailable`, { supportedModalities: ['Messaging'] })).status).toBe(204);
    expect((await bob.client.post(`${me}/note`, { message: 'In Rome' })).status).toBe(204);
    const meeting = await bob.client.post(`${bob.self}/onlineMeetings/myOnlineMeetings`, { subject: 'Plans' });
    expect(meeting.status).toBe(201);
    await setLevel(bob, 'alice');
    await setLevel(alice, 'bob');
    await addContact(alice, 'bob');
  }
}

async function startService({ started, nats, folder }: Services): Promise<RunningService> {
  return started.add(await startApplicationPeople(nats.urlOf('application-people'), { DATA_DIR: folder }));
}

export async function addContact({ client, self }: SignedIn, name: string): Promise<void> {
  const added = { contactUri: `sip:${name}@example.test`, groupId: 'pinned' };
  expect((await client.post(`${self}/people/groupMemberships`, added)).status).toBe(201);
}

export async function readContactUris({ client, self }: SignedIn): Promise<readonly unknown[]> {
  const { _embedded: embedded } = await client.read(`${self}/people/contacts`);
  return [embedded?.['contact'] ?? []].flat().map((contact) => Object(contact).uri);
}

/** Links of the contacts that events from this address on add to the contact list, up to the one of this contact. */
export async function addedContacts({ client, self }: SignedIn, eventsHref: string, last: string): Promise<string[]> {
  const added: string[] = [];
  for (let href = eventsHref; !added.includes(`${self}/people/${last}@example.test`);) {
    const events: AnyResource = await client.read(href);
    const senders = [Object(events).sender ?? []].flat();
    for (const { type, in: place, link } of senders.flatMap((each) => [Object(each).events ?? []].flat())) {
      if (type === 'added' && place?.rel === 'myContacts') added.push(String(link.href));
    }
    href = resourceHref(events, 'next');
  }
  return added;
}

export async function readPrivacyLevel({ client, self }: SignedIn, name: string): Promise<unknown> {
  return Object(await client.read(`${self}/people/${name}@example.test/privacyRelationship`)).relationshipLevel;
}

async function setLevel({ client, self }: SignedIn, name: string): Promise<void> {
  const path = `${self}/people/${name}@example.test/privacyRelationship`;
  const before = await client.read(path);
  const body = { ...before, relationshipLevel: 'Workgroup' };
  expect((await client.send('PUT', path, body, { 'if-match': `"${before.etag}"` })).status).toBe(204);
}
