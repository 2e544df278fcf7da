import { eventually } from '@ringdown/testing/eventually';
import { once } from 'node:events';
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls';
import {
  RequestRefused,
  Session,
  SessionStore,
  SignInRefused,
  TokenRefused,
  waitFor,
  WebClient,
  type ChannelListener,
  type ChannelState,
  type Contact,
  type EventResource,
  type IncomingInvitation,
  type Message,
  type Messaging,
  type SessionEvent,
} from '../src/web-interface/index.js';
import type { TextStore } from '../src/web-interface/text-store.js';
import { System } from './system.js';

/** The storage of one tab of a browser, or of all of them. */
class MemoryStore implements TextStore {
  private readonly texts = new Map<string, string>();
  getItem(key: string): string | null {
    return this.texts.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.texts.set(key, value);
  }
  removeItem(key: string): void {
    this.texts.delete(key);
  }
  copy(): MemoryStore {
    const copy = new MemoryStore();
    for (const [key, value] of this.texts) copy.setItem(key, value);
    return copy;
  }
}

/** A page in a tab of a browser. */
class Page implements ChannelListener {
  readonly session: Session;
  readonly client: WebClient;
  readonly dispatched: SessionEvent[] = [];
  readonly states: ChannelState[] = [];
  startedOver = 0;

  constructor(
    system: System,
    readonly tab = new MemoryStore(),
    readonly device = new MemoryStore(),
  ) {
    const store = new SessionStore({ tab, device, newId: () => crypto.randomUUID() });
    this.session = new Session({ origin: system.origin, fetch: (url, init) => fetch(url, init), store, now: Date.now });
    this.client = new WebClient({
      session: this.session,
      culture: 'en-US',
      userAgent: 'Console test',
      now: Date.now,
      random: Math.random,
      wait: (ms, signal) => waitFor(Math.min(ms, 300), signal),
    });
  }

  events(events: readonly SessionEvent[]): void {
    this.dispatched.push(...events);
  }
  startOver(): void {
    this.startedOver++;
  }
  state(state: ChannelState): void {
    this.states.push(state);
  }

  /** Waits for an event that shows such a resource. */
  async shown<R extends EventResource['rel']>(
    rel: R,
    fits: (resource: Extract<EventResource, { rel: R }>, event: SessionEvent) => boolean = () => true,
  ): Promise<Extract<EventResource, { rel: R }>> {
    type Wanted = Extract<EventResource, { rel: R }>;
    const isWanted = (resource: EventResource): resource is Wanted => resource.rel === rel;
    return eventually(`${rel} to be dispatched`, () => {
      for (const event of this.dispatched) {
        const { resource } = event;
        if (resource !== undefined && isWanted(resource) && fits(resource, event)) return resource;
      }
      return undefined;
    });
  }

  async waitForEvent(what: string, fits: (event: SessionEvent) => boolean): Promise<SessionEvent> {
    return eventually(what, () => this.dispatched.find((event) => fits(event)));
  }
}

/** Accepts the certificate in this process from now on, like a browser whose user has accepted it. */
async function trust({ origin }: System): Promise<void> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const certificate = socket.getPeerX509Certificate();
  socket.destroy();
  if (certificate === undefined) throw new Error('the system shows no certificate');
  setDefaultCACertificates([...getCACertificates(), certificate.toString()]);
}

describe('the client of the web interface', () => {
  let system: System;
  const pages: Page[] = [];

  beforeAll(async () => {
    system = await System.start();
    await trust(system);
  });
  afterEach(() => {
    for (const page of pages.splice(0)) page.client.stop();
  });
  afterAll(() => system.stop());

  async function signedIn(name: string): Promise<Page> {
    const page = new Page(system);
    await page.session.signIn(system.user(name));
    return started(page);
  }

  async function started(page: Page): Promise<Page> {
    pages.push(page);
    await page.client.start(page);
    return page;
  }

  /** The same tab, after the page was loaded again. */
  async function reloaded({ tab, device, client }: Page): Promise<Page> {
    client.stop();
    return started(new Page(system, tab, device));
  }

  async function found(page: Page, name: string): Promise<Contact> {
    const { people } = await page.client.people.search(name, 5);
    const [first] = people;
    if (first === undefined) throw new Error(`${name} was not found`);
    return first;
  }

  /** Two pages with an open conversation, each with its messaging resource. */
  async function talking(): Promise<{ alice: Page; bob: Page; fromAlice: Messaging; fromBob: Messaging }> {
    const [alice, bob] = [await signedIn('alice'), await signedIn('bob')];
    const { uri } = bob.client.application.resource.me;
    await alice.client.messages.invite({ to: uri, text: 'Are you there, 100 %?', operationId: crypto.randomUUID() });
    const invitation = await bob.shown('messagingInvitation');
    expect(invitation).toMatchObject({ direction: 'Incoming', text: 'Are you there, 100 %?' });
    await bob.client.messages.accept(invitation as IncomingInvitation);
    const isOpen = ({ state }: Messaging): boolean => state === 'Connected';
    const [fromAlice, fromBob] = [await alice.shown('messaging', isOpen), await bob.shown('messaging', isOpen)];
    return { alice, bob, fromAlice, fromBob };
  }

  it('reports a wrong password', async () => {
    const page = new Page(system);
    const wrong = { ...system.user('alice'), password: 'wrong' };
    await expect(page.session.signIn(wrong)).rejects.toThrow(SignInRefused);
    expect(page.session.state.kind).toBe('signedOut');
  });

  it('requests the address of the applications once per session, and again when it has changed', async () => {
    const alice = await signedIn('alice');
    const known = await alice.session.applicationsUrl();
    const { href } = alice.client.application.resource;
    alice.session.remember(alice.session.authorization, { applications: `${known}-of-old` });
    const again = await reloaded(alice);
    expect(again.client.application.resource.href).toBe(href);
    expect(await again.session.applicationsUrl()).toBe(known);
  });

  it('signs in, and revokes the token at sign-out', async () => {
    const page = await signedIn('alice');
    expect(page.client.application.resource.me).toMatchObject({ uri: 'sip:alice@example.test' });
    const { requests, authorization } = page.session;
    const { href } = page.client.application.resource.me;
    await page.session.signOut();
    expect([page.session.state, page.tab]).toEqual([{ kind: 'signedOut', expired: false }, new MemoryStore()]);
    await expect(requests.get(href)).rejects.toThrow(TokenRefused);
    const response = await fetch(new URL(href, system.origin), { headers: { authorization: authorization ?? '' } });
    expect(response.status).toBe(401);
    await eventually('the events to end', () => page.states.at(-1)?.kind === 'signedOut');
  });

  it('is the same application after a reload, and in another tab', async () => {
    const page = await signedIn('alice');
    const { href, events } = page.client.application.resource;
    page.client.stop();
    const reloaded = await started(new Page(system, page.tab, page.device));
    expect(reloaded.client.application.resource).toMatchObject({ href, events });
    const other = new Page(system, new MemoryStore(), page.device);
    await other.session.signIn(system.user('alice'));
    await started(other);
    const idOf = (url: string): string => url.replace(/\?.*/, '');
    expect(idOf(other.client.application.resource.href)).toBe(idOf(href));
    // Both get all events.
    await other.client.me.setNote('In both tabs');
    for (const each of [reloaded, other]) await each.waitForEvent('the note', ({ link }) => link.rel === 'note');
  });

  it('continues in both tabs when one was duplicated with its store', async () => {
    const page = await signedIn('alice');
    const duplicate = await started(new Page(system, page.tab.copy(), page.device));
    await eventually('a place of its own', () => page.startedOver === 1);
    await page.client.me.setLocation('Room 1');
    for (const each of [page, duplicate])
      await each.waitForEvent('the location', ({ link }) => link.rel === 'location');
    expect([page, duplicate].map((each) => each.states.at(-1)?.kind)).toEqual(['connected', 'connected']);
  });

  it('stores presence, note and location of the user', async () => {
    const { client } = await signedIn('alice');
    await client.me.choose('DoNotDisturb');
    await client.me.setNote('Back at noon');
    await client.me.setLocation('Lisbon');
    await client.activity.report();
    expect(await client.me.presence()).toMatchObject({ availability: 'DoNotDisturb' });
    expect([await client.me.note(), await client.me.location()]).toEqual(['Back at noon', 'Lisbon']);
    await client.me.choose(undefined);
    await client.me.setNote('');
    expect([(await client.me.presence()).availability, await client.me.note()]).toEqual(['Online', '']);
  });

  it('finds people, or none', async () => {
    const { client } = await signedIn('alice');
    const { people, hasMore } = await client.people.search('bob', 5);
    expect([people.map(({ uri }) => uri), hasMore]).toEqual([['sip:bob@example.test'], false]);
    expect(await client.people.search('nobody has this name', 5)).toEqual({ people: [], hasMore: false });
    await expect(client.people.search('bob', 5, AbortSignal.abort())).rejects.toThrow('aborted');
  });

  it('keeps contacts in groups', async () => {
    const { client, ...page } = await signedIn('carol');
    const bob = await found({ client, ...page } as Page, 'bob');
    await client.people.createGroup('Team');
    const team = (await client.people.groups()).find(({ name }) => name === 'Team');
    if (team === undefined) throw new Error('the group is missing');
    await client.people.renameGroup(team, 'Crew & Co');
    await expect(client.people.renameGroup(team, 'Late')).rejects.toMatchObject({ status: 412 });
    await client.people.addContact(bob.uri, team.id);
    await expect(client.people.addContact(bob.uri, team.id)).rejects.toThrow(RequestRefused);
    const { memberships } = await client.people.memberships();
    const membership = memberships.find(({ contact, group }) => contact === bob.href && group === team.href);
    if (membership === undefined) throw new Error('the membership is missing');
    await client.people.addContact(bob.uri, 'pinned');
    await client.people.removeFromGroup(membership);
    expect((await client.people.contacts()).map(({ uri }) => uri)).toContain(bob.uri);
    await client.people.removeContact(bob.uri);
    expect((await client.people.contacts()).map(({ uri }) => uri)).not.toContain(bob.uri);
    await client.people.deleteGroup(team);
    expect((await client.people.groups()).map(({ name }) => name)).not.toContain('Crew & Co');
  });

  it('gets events of presence changes', async () => {
    const [alice, bob] = [await signedIn('alice'), await signedIn('bob')];
    const contact = await found(alice, 'bob');
    await alice.client.presence.watch([contact.uri]);
    await bob.client.me.choose('Busy');
    await eventually('Bob to be busy', async () => {
      const isNotified = alice.dispatched.some(
        ({ link }) => link.rel === 'contactPresence' && link.href === contact.links.presence,
      );
      return isNotified && (await alice.client.people.presence(contact)).availability === 'Busy';
    });
    await bob.client.me.setNote('In a meeting');
    await alice.waitForEvent('the note', ({ link }) => link.href === contact.links.note);
    expect(await alice.client.people.note(contact)).toBe('In a meeting');
    await bob.client.me.choose(undefined);
  });

  it('sends and receives messages', async () => {
    const { alice, bob, fromAlice, fromBob } = await talking();
    await alice.client.messages.typing(fromAlice);
    await bob.waitForEvent('typing', (event) => event.type === 'added' && event.in?.rel === 'typingParticipants');
    const href = await alice.client.messages.send(fromAlice, { text: '1 + 1 = 2 👋', operationId: 'one' });
    await bob.shown('message', ({ text }) => text === '1 + 1 = 2 👋');
    const isSent = (message: Message, { outcome }: SessionEvent): boolean =>
      message.href === href && outcome === 'Success';
    await alice.shown('message', isSent);
    // The same operation again, as after a lost answer, is not a second message.
    expect(await alice.client.messages.send(fromAlice, { text: '1 + 1 = 2 👋', operationId: 'one' })).toBe(href);
    const [conversation] = await bob.client.messages.conversations();
    if (conversation === undefined) throw new Error('Bob is in no conversation');
    expect(await bob.client.messages.other(conversation)).toMatchObject({ uri: 'sip:alice@example.test' });
    expect(await bob.client.messages.messaging(conversation)).toEqual(fromBob);
    await bob.client.messages.stop(fromBob);
    await alice.waitForEvent('the end', ({ type, link }) => type === 'deleted' && link.rel === 'conversation');
  });

  it('declines an invitation', async () => {
    const [alice, bob] = [await signedIn('alice'), await signedIn('bob')];
    await alice.client.messages.invite({ to: 'sip:bob@example.test', text: 'Hi', operationId: crypto.randomUUID() });
    await bob.client.messages.decline((await bob.shown('messagingInvitation')) as IncomingInvitation);
    const { reason } = await alice.waitForEvent('the refusal', ({ outcome }) => outcome === 'Failure');
    expect(reason).toMatchObject({ code: 'RemoteFailure', subcode: 'Declined' });
  });

  it('continues after an outage of the system, with every message once', async () => {
    const { alice, bob, fromAlice } = await talking();
    await alice.client.messages.send(fromAlice, { text: 'before', operationId: 'before' });
    await bob.shown('message', ({ text }) => text === 'before');
    await system.pause();
    await eventually('the loss to be noticed', () => bob.states.at(-1)?.kind === 'reconnecting');
    await system.resume();
    await eventually('both to be back', () => [alice, bob].every((page) => page.states.at(-1)?.kind === 'connected'));
    await alice.client.messages.send(fromAlice, { text: 'after', operationId: 'after' });
    await bob.shown('message', ({ text }) => text === 'after');
    const received = bob.dispatched.flatMap(({ resource }) => (resource?.rel === 'message' ? [resource.text] : []));
    expect(received.filter((text) => text === 'before' || text === 'after')).toEqual(['before', 'after']);
  });
});
