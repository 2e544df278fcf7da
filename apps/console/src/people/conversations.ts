import {
  RequestRefused,
  TokenRefused,
  UnexpectedAnswer,
  Unreachable,
  type IncomingInvitation,
  type SessionEvent,
  type WebClient,
} from '../web-interface/index.js';
import type { Line, Person, Thread, Threads } from './threads.js';

export interface ConversationsOptions {
  readonly client: Pick<WebClient, 'messages'>;
  readonly threads: () => Threads;
  readonly update: (threads: Threads) => void;
}

/** The other person sees it for ten seconds. */
const TYPING_EVERY_MS = 7000;

/** Changes conversations by actions of the user and by events. */
export class Conversations {
  private readonly typedAt = new Map<string, number>();

  constructor(private readonly options: ConversationsOptions) {}

  onEvents(events: readonly SessionEvent[]): void {
    const before = this.threads;
    const after = events.reduce((threads, event) => threads.onEvent(event), before);
    if (after !== before) this.options.update(after);
    for (const event of events) this.adoptUnknown(event);
    for (const thread of after.all) if (thread.phase === 'open') this.sendWaiting(thread);
  }

  /** Reads the open conversations from the server; no others are open here. */
  async readAll(): Promise<void> {
    const { messages } = this.options.client;
    const open = await messages.conversations();
    this.options.update(this.threads.keepOpen(new Set(open.map(({ href }) => href))));
    await Promise.all(open.filter(({ state }) => state === 'Connected').map(({ href }) => this.adopt(href)));
  }

  /** Sends a message: in the open conversation, or as the first message of a new one. */
  async sendMessage(person: Person, text: string): Promise<void> {
    const operationId = crypto.randomUUID();
    this.options.update(this.threads.addOutgoing(person, operationId, text, Date.now()));
    const thread = this.threads.with(person.uri);
    const line = thread?.lines.at(-1);
    if (thread?.phase === 'invited') await this.accept(thread);
    if (thread !== undefined && line?.delivery === 'sending') await this.send(thread, line);
  }

  async accept(thread: Thread): Promise<void> {
    await this.answer(thread, (invitation) => this.options.client.messages.accept(invitation));
  }

  async decline(thread: Thread): Promise<void> {
    await this.answer(thread, (invitation) => this.options.client.messages.decline(invitation));
  }

  /** Ends the conversation for both. */
  async end({ messaging }: Thread): Promise<void> {
    if (messaging !== undefined) await this.options.client.messages.stop(messaging);
  }

  read(uri: string): void {
    const before = this.threads;
    const after = before.read(uri);
    if (after !== before) this.options.update(after);
  }

  /** Call it on every key press. */
  async typing({ uri, messaging, phase }: Thread): Promise<void> {
    const now = Date.now();
    if (phase !== 'open' || messaging === undefined || now - (this.typedAt.get(uri) ?? 0) < TYPING_EVERY_MS) return;
    this.typedAt.set(uri, now);
    // A failed typing notification is not shown: sending the message will fail too.
    await this.options.client.messages.typing(messaging).catch(() => undefined);
  }

  private get threads(): Threads {
    return this.options.threads();
  }

  private sendWaiting(thread: Thread): void {
    const waiting = thread.lines.filter(isWaiting);
    if (waiting.length === 0) return;
    const sending = thread.lines.map((line) => (isWaiting(line) ? { ...line, delivery: 'sending' as const } : line));
    this.options.update(this.threads.change(thread, (each) => ({ ...each, lines: sending })));
    void this.sendInOrder(thread, waiting);
  }

  private async sendInOrder(thread: Thread, lines: readonly Line[]): Promise<void> {
    for (const line of lines) await this.send(thread, line);
  }

  /** An event reports the delivery; a failure to send is handled here. */
  private async send(thread: Thread, { text, operationId = '' }: Line): Promise<void> {
    const { messages } = this.options.client;
    const { uri, messaging } = this.threads.with(thread.uri) ?? thread;
    this.typedAt.delete(uri);
    try {
      if (messaging?.links.send === undefined) {
        await messages.invite({ to: uri, text, operationId });
        return;
      }
      const href = await messages.send(messaging, { text, operationId });
      this.options.update(this.threads.sent(uri, operationId, href));
    } catch (error) {
      this.options.update(this.threads.failed(uri, operationId, sendingErrorMessage(error)));
    }
  }

  private async answer(thread: Thread, how: (invitation: IncomingInvitation) => Promise<void>): Promise<void> {
    const { invitation } = thread;
    if (invitation === undefined) return;
    try {
      await how(invitation);
    } catch (error) {
      // Withdrawn, or answered elsewhere, meanwhile: the event for it will arrive.
      if (!(error instanceof RequestRefused)) throw error;
    }
    this.options.update(this.threads.change(thread, ({ invitation: _answered, ...rest }) => rest));
  }

  /** Another tab of this browser has accepted or invited: the conversation is open here as well. */
  private adoptUnknown({ resource }: SessionEvent): void {
    if (resource?.rel !== 'messaging' || resource.state !== 'Connected') return;
    if (this.threads.at(resource.conversation) === undefined) void this.adopt(resource.conversation);
  }

  private async adopt(href: string): Promise<void> {
    const { messages } = this.options.client;
    try {
      const conversation = await messages.conversation(href);
      const [messaging, other] = await Promise.all([messages.messaging(conversation), messages.other(conversation)]);
      if (other !== undefined) this.options.update(this.threads.adopt(other, messaging));
    } catch (error) {
      // It is over, or the server is not reachable, and everything is read again when it is back.
      if (!isKnown(error)) throw error;
    }
  }
}

function isWaiting({ delivery }: Line): boolean {
  return delivery === 'waiting';
}

function isKnown(error: unknown): error is Error {
  return [RequestRefused, TokenRefused, Unreachable, UnexpectedAnswer].some((known) => error instanceof known);
}

/** Why something could not be sent, for the user. Rethrows unexpected errors. */
function sendingErrorMessage(error: unknown): string {
  if (isKnown(error)) return error.message;
  throw error;
}
