import {
  Refusal,
  TokenRefused,
  type ChannelListener,
  type ChannelState,
  type ChosenAvailability,
  type Contact,
  type Me,
  type Presence,
  type SessionEvent,
  type WebClient,
} from '../web-interface/index.js';
import { Conversations } from './conversations.js';
import { NewestAnswers } from './newest-answers.js';
import { rosterOf, type Roster } from './roster.js';
import { Threads } from './threads.js';

/** How the view stands with the server. */
export type PeopleStatus =
  ChannelState | { readonly kind: 'opening' } | { readonly kind: 'failed'; readonly error: unknown };

/** What is known of somebody beyond who it is. */
export interface Seen {
  readonly presence?: Presence;
  readonly note?: string;
  readonly location?: string;
}

export interface PeopleState {
  readonly status: PeopleStatus;
  readonly me: Me | undefined;
  readonly own: Seen;
  /** Undefined until it was read. */
  readonly roster: Roster | undefined;
  /** By the address of the contact resource. */
  readonly seen: ReadonlyMap<string, Seen>;
  readonly threads: Threads;
}

const OWN_RELS = new Set(['presence', 'note', 'location']);
const SEEN_RELS: Readonly<Record<string, keyof Seen>> = {
  contactPresence: 'presence',
  contactNote: 'note',
  contactLocation: 'location',
};

/** Everything that the people view shows, kept true by the events of the session for as long as somebody is signed in. */
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
  /** Whoever was met here, by the address of the contact resource, and by SIP address. */
  private readonly known = new Map<string, Contact>();
  private readonly byUri = new Map<string, Contact>();
  private readonly answers = new NewestAnswers();
  /** Something could not be read, and has to be when the server is back. */
  private stale = false;

  constructor(private readonly client: WebClient) {
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

  /** Opens the session and reads everything; may be called again where that failed. */
  async start(): Promise<void> {
    this.become({ status: { kind: 'opening' } });
    try {
      await this.client.start(this);
      await this.readAll();
    } catch (error) {
      // Another try begins from the start, and one channel at a time is followed.
      this.client.stop();
      if (!(error instanceof TokenRefused)) this.become({ status: { kind: 'failed', error } });
    }
  }

  stop(): void {
    this.client.stop();
  }

  state(status: ChannelState): void {
    this.become({ status });
  }

  events(events: readonly SessionEvent[]): void {
    this.conversations.hear(events);
    for (const event of events) this.hear(event);
    if (events.some(isOfRoster)) this.follow(this.readRoster());
  }

  startOver(): void {
    this.follow(this.readAll());
    this.follow(this.client.presence.renew());
  }

  /** From now on it is known how this person is seen, whether a contact or not. */
  look(contact: Contact): void {
    this.meet([contact]);
  }

  /** How somebody is seen who was met here. */
  seen(uri: string): Seen | undefined {
    const { href = '' } = this.byUri.get(uri) ?? {};
    return this.current.seen.get(href);
  }

  /** Somebody who was met here, or whom the directory has; undefined when there is nobody with this address. */
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

  /** Changes the contacts or groups, and shows it without waiting for the event that tells of it. */
  async change(how: (people: WebClient['people']) => Promise<void>): Promise<void> {
    await how(this.client.people);
    await this.readRoster();
  }

  /** Somebody does something here. That the server could not be told is told by the channel. */
  active(): void {
    this.follow(this.client.activity.active());
  }

  tryNow(): void {
    this.client.tryNow();
  }

  /** Ends the session for this tab, as its user goes. */
  async leave(): Promise<void> {
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

  private hear(event: SessionEvent): void {
    const { rel, href } = event.link;
    this.follow(this.client.presence.hear(event));
    if (event.sender.rel === 'me' && isOwn(rel)) return this.follow(this.readOwn(rel));
    const what = SEEN_RELS[rel];
    const contact = what === undefined || event.in === undefined ? undefined : this.known.get(event.in.href);
    if (what !== undefined && contact !== undefined && href !== '') this.follow(this.readSeen(contact, what));
  }

  private async readOwn(what: keyof Seen): Promise<void> {
    await this.answers.take<Presence | string>(`me ${what}`, this.client.me[what](), (value) => {
      this.become({ own: { ...this.current.own, [what]: value } });
    });
  }

  private async readRoster(): Promise<void> {
    const { people } = this.client;
    const reading = Promise.all([people.contacts(), people.groups(), people.memberships()]);
    await this.answers.take('roster', reading, ([contacts, groups, { memberships }]) => {
      this.become({ roster: rosterOf(contacts, groups, memberships) });
      this.meet(contacts);
    });
  }

  private meet(contacts: readonly Contact[]): void {
    const strangers = contacts.filter(({ href }) => !this.known.has(href));
    for (const contact of strangers) {
      this.known.set(contact.href, contact);
      this.byUri.set(contact.uri, contact);
    }
    if (strangers.length === 0) return;
    this.follow(this.client.presence.watch(strangers.map(({ uri }) => uri)));
    for (const contact of strangers) {
      for (const what of ['presence', 'note', 'location'] as const) this.follow(this.readSeen(contact, what));
    }
  }

  private async readSeen(contact: Contact, what: keyof Seen): Promise<void> {
    await this.answers.take<Presence | string>(
      `${contact.href} ${what}`,
      this.client.people[what](contact),
      (value) => {
        const before = this.current.seen.get(contact.href);
        this.become({ seen: new Map([...this.current.seen, [contact.href, { ...before, [what]: value }]]) });
      },
    );
  }

  /**
   * What fails here is no answer to anything that somebody did. A server that is away is shown by the state of the
   * channel, and everything is read anew when it is back.
   */
  private follow(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (error instanceof Refusal && error.status === 403) this.become({ status: { kind: 'failed', error } });
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
