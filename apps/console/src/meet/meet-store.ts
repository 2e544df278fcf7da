import { Conversations } from '../people/conversations.js';
import { Threads } from '../people/threads.js';
import {
  EventChannel,
  GuestSession,
  RequestRefused,
  SignInRefused,
  Unreachable,
  waitFor,
  type ChannelListener,
  type ChannelState,
  type GuestMeeting,
  type MeetingKey,
  type SessionEvent,
} from '../web-interface/index.js';
import { culture } from '../texts/language.js';
import { texts } from '../texts/meet.js';

export type MeetState =
  /** `problem`: why the guest is not inside, in words. */
  | { readonly kind: 'outside'; readonly problem?: string }
  | { readonly kind: 'entering' }
  | { readonly kind: 'inside'; readonly meeting: GuestMeeting; readonly channel: ChannelState['kind'] };

/** A guest's visit of a meeting: enters, writes to the organizer, leaves. */
export class MeetStore implements ChannelListener {
  private current: MeetState = { kind: 'outside' };
  private threads = new Threads();
  private visit: { readonly session: GuestSession; channel?: EventChannel; conversations: Conversations } | undefined;
  private readonly listeners = new Set<() => void>();
  /** Changes with every change, for React. */
  private shown = { state: this.current, threads: this.threads };

  constructor(private readonly meeting: MeetingKey) {}

  readonly snapshot = (): { readonly state: MeetState; readonly threads: Threads } => this.shown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Only while the guest is inside. */
  get conversations(): Conversations {
    if (this.visit === undefined) throw new Error('the guest has not entered');
    return this.visit.conversations;
  }

  /** Guests have one tab. */
  read(uri: string): void {
    this.conversations.read(uri);
  }

  async enter(name: string): Promise<void> {
    this.become({ kind: 'entering' }, new Threads());
    const session = new GuestSession({
      origin: location.origin,
      fetch: (url, init) => fetch(url, init),
      now: Date.now,
      meeting: this.meeting,
      name,
      culture,
      newId: () => crypto.randomUUID(),
      onOver: () => this.state({ kind: 'signedOut' }),
    });
    const conversations = new Conversations({
      client: session,
      threads: () => this.threads,
      update: (threads) => this.become(this.current, threads),
    });
    try {
      const meeting = await session.enter();
      const channel = new EventChannel({ source: session, listener: this, wait: waitFor, random: Math.random });
      this.visit = { session, channel, conversations };
      this.become({ kind: 'inside', meeting, channel: 'connected' });
      void channel.run(session.resource.events);
    } catch (error) {
      await session.leave();
      this.become({ kind: 'outside', problem: meetProblemText(error) });
    }
  }

  /** Ends the conversation; also called when the page is closed. */
  leave(): void {
    const { visit } = this;
    this.visit = undefined;
    visit?.channel?.stop();
    void visit?.session.leave();
    this.become({ kind: 'outside' }, new Threads());
  }

  tryNow(): void {
    this.visit?.channel?.tryNow();
  }

  events(events: readonly SessionEvent[]): void {
    this.visit?.conversations.onEvents(events);
  }

  startOver(): void {
    // What cannot be read now is read when the server is back.
    void this.visit?.conversations.readAll().catch(() => undefined);
  }

  state({ kind }: ChannelState): void {
    if (this.current.kind === 'inside') this.become({ ...this.current, channel: kind });
  }

  private become(state: MeetState, threads = this.threads): void {
    this.current = state;
    this.threads = threads;
    this.shown = { state, threads };
    for (const listener of this.listeners) listener();
  }
}

function meetProblemText(error: unknown): string {
  if (error instanceof SignInRefused) return texts.refused;
  if (error instanceof Unreachable || error instanceof RequestRefused) return error.message;
  return texts.unexpected;
}
