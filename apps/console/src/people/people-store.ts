import {
  RequestRefused,
  TokenRefused,
  type ChannelListener,
  type ChannelState,
  type ChosenAvailability,
  type Contact,
  type Presence,
  type SessionEvent,
  type WebClient,
} from '../web-interface/index.js';
import { Conversations } from './conversations.js';
import { LatestAnswers } from './latest-answers.js';
import type { PeopleState, ShownPresence } from './people-state.js';
import { contactRoster } from './roster.js';
import { Threads } from './threads.js';

const OWN_RELS = new Set(['presence', 'note', 'location']);
const SEEN_RELS: Readonly<Record<string, keyof ShownPresence>> = {
  contactPresence: 'presence',
  contactNote: 'note',
  contactLocation: 'location',
};

/** The data of the people view, kept current by the events of the session while the user is signed in. */
export class PeopleStore implements ChannelListener {
  readonly conversations: Conversations;
  private current: PeopleState = {
    status: { kind: 'opening' },
    me: undefined,
    own: {},
    roster: undefined,
    seen: new Map(),
    threads: new Threads(),
  };
  private readonly listeners = new Set<() => void>();
  /** People seen in this session, by the address of the contact resource, and by SIP address. */
  private readonly known = new Map<string, Contact>();
  private readonly byUri = new Map<string, Contact>();
  private readonly answers = new LatestAnswers();
  /** Something could not be read, and must be read when the server is back. */
  private stale = false;

  /** `onRead`: called when the user has read the messages of a person here. */
  constructor(
    private readonly client: WebClient,
    private readonly onRead: (uri: string) => void = () => undefined,
  ) {
    this.conversations = new Conversations({
      client,
      threads: () => this.current.threads,
      update: (threads) => this.become({ threads }),
    });
  }

  readonly snapshot = (): PeopleState => this.current;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Opens the session and reads everything; may be called again after a failure. */
  async start(): Promise<void> {
    this.become({ status: { kind: 'opening' } });
    try {
      await this.client.start(this);
      await this.readAll();
    } catch (error) {
      // Another try starts from the beginning, and only one channel is followed at a time.
      this.client.stop();
      if (!(error instanceof TokenRefused)) this.become({ status: { kind: 'failed', error } });
    }
  }

  /** The messages of a person are not new any more, in any tab. */
  read(uri: string): void {
    this.conversations.read(uri);
    this.onRead(uri);
  }

  stop(): void {
    this.client.stop();
  }

  state(status: ChannelState): void {
    this.become({ status });
  }

  events(events: readonly SessionEvent[]): void {
    this.conversations.onEvents(events);
    for (const event of events) this.onEvent(event);
    if (events.some(isOfRoster)) this.follow(this.readRoster());
  }

  startOver(): void {
    this.follow(this.readAll());
    this.follow(this.client.presence.renew());
  }

  /** Watches the presence of this person, whether a contact or not. */
  watch(contact: Contact): void {
    this.meet([contact]);
  }

  /** The presence of a person seen in this session. */
  presenceOf(uri: string): ShownPresence | undefined {
    const { href = '' } = this.byUri.get(uri) ?? {};
    return this.current.seen.get(href);
  }

  /** Finds a person seen in this session, or in the directory; undefined if there is none with this address. */
  async find(uri: string): Promise<Contact | undefined> {
    const met = this.byUri.get(uri);
    if (met !== undefined) return met;
    const { people } = await this.client.people.search(uri.replace(/^sip:/, ''), 10);
    return people.find((contact) => contact.uri === uri);
  }

  search(query: string, signal: AbortSignal): ReturnType<WebClient['people']['search']> {
    return this.client.people.search(query, 20, signal);
  }

  async choose(availability: ChosenAvailability | undefined): Promise<void> {
    await this.client.me.choose(availability);
    await this.readOwn('presence');
  }

  async setNote(note: string): Promise<void> {
    await this.client.me.setNote(note);
    await this.readOwn('note');
  }

  async setLocation(location: string): Promise<void> {
    await this.client.me.setLocation(location);
    await this.readOwn('location');
  }

  /** Changes the contacts or groups, and shows it without waiting for the event. */
  async change(how: (people: WebClient['people']) => Promise<void>): Promise<void> {
    await how(this.client.people);
    await this.readRoster();
  }

  /** The user is active. A failure to report it is shown by the state of the channel. */
  reportActivity(): void {
    this.follow(this.client.activity.report());
  }

  tryNow(): void {
    this.client.tryNow();
  }

  /** Ends the session for this tab when the user signs out. */
  async close(): Promise<void> {
    this.client.stop();
    await this.client.application.close();
  }

  private async readAll(): Promise<void> {
    this.become({ me: this.client.application.resource.me });
    await Promise.all([
      ...(['presence', 'note', 'location'] as const).map((what) => this.readOwn(what)),
      this.readRoster(),
      this.conversations.readAll(),
    ]);
  }

  private onEvent(event: SessionEvent): void {
    const { rel, href } = event.link;
    this.follow(this.client.presence.onEvent(event));
    if (event.sender.rel === 'me' && isOwn(rel)) return this.follow(this.readOwn(rel));
    const what = SEEN_RELS[rel];
    const contact = what === undefined || event.in === undefined ? undefined : this.known.get(event.in.href);
    if (what !== undefined && contact !== undefined && href !== '') this.follow(this.readSeen(contact, what));
  }

  private async readOwn(what: keyof ShownPresence): Promise<void> {
    await this.answers.showLatest<Presence | string>(`me ${what}`, this.client.me[what](), (value) => {
      this.become({ own: { ...this.current.own, [what]: value } });
    });
  }

  private async readRoster(): Promise<void> {
    const { people } = this.client;
    const reading = Promise.all([people.contacts(), people.groups(), people.memberships()]);
    await this.answers.showLatest('roster', reading, ([contacts, groups, { memberships }]) => {
      this.become({ roster: contactRoster(contacts, groups, memberships) });
      this.meet(contacts);
    });
  }

  private meet(contacts: readonly Contact[]): void {
    const newContacts = contacts.filter(({ href }) => !this.known.has(href));
    for (const contact of newContacts) {
      this.known.set(contact.href, contact);
      this.byUri.set(contact.uri, contact);
    }
    if (newContacts.length === 0) return;
    this.follow(this.client.presence.watch(newContacts.map(({ uri }) => uri)));
    for (const contact of newContacts) {
      for (const what of ['presence', 'note', 'location'] as const) this.follow(this.readSeen(contact, what));
    }
  }

  private async readSeen(contact: Contact, what: keyof ShownPresence): Promise<void> {
    await this.answers.showLatest<Presence | string>(
      `${contact.href} ${what}`,
      this.client.people[what](contact),
      (value) => {
        const before = this.current.seen.get(contact.href);
        this.become({ seen: new Map([...this.current.seen, [contact.href, { ...before, [what]: value }]]) });
      },
    );
  }

  /**
   * Failures here are not answers to an action of the user. An unreachable server is shown by the state of the
   * channel, and everything is read again when it is back.
   */
  private follow(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (error instanceof RequestRefused && error.status === 403) this.become({ status: { kind: 'failed', error } });
      else this.stale = true;
    });
  }

  private become(change: Partial<PeopleState>): void {
    const isBack = change.status?.kind === 'connected' && this.stale;
    this.current = { ...this.current, ...change };
    for (const listener of this.listeners) listener();
    if (!isBack) return;
    this.stale = false;
    this.startOver();
  }
}

function isOfRoster({ link, in: list }: SessionEvent): boolean {
  return link.rel === 'group' || list?.rel === 'myContacts' || list?.rel === 'groupContacts';
}

function isOwn(rel: string): rel is 'presence' | 'note' | 'location' {
  return OWN_RELS.has(rel);
}
