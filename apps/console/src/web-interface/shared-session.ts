import type { Session } from './session.js';
import { readSession } from './session-store.js';

/** The part of a `BroadcastChannel` that is used. Only pages of the same origin can read it. */
export interface TabChannel {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

export interface SharedSessionOptions {
  readonly session: Pick<Session, 'stored' | 'adopt' | 'leave' | 'beforeSignOut'>;
  readonly channel: TabChannel;
  /** When this tab was last used, in milliseconds since 1970. */
  readonly lastUsedAt: () => number;
  /** A new unique id. */
  readonly newId: () => string;
}

/** How long a tab waits for the others. They answer within a few milliseconds, unless the browser has frozen them. */
const WAIT_MS = 150;

interface Question {
  readonly kind: 'question';
  readonly id: string;
}

interface Answer {
  readonly kind: 'answer';
  /** Of the question. */
  readonly id: string;
  readonly usedAt: number;
  /** As JSON. */
  readonly session: string;
}

interface SignOut {
  readonly kind: 'signOut';
  readonly authorization: string;
}

/**
 * One sign-in for all tabs of a browser: a new tab gets the session of the tab that was used last, and a sign-out ends it in
 * all tabs. The token is only in the memory of pages and in the stores of their tabs.
 */
export class SharedSession {
  private question: string | undefined;
  private isWaiting = false;
  private best: Answer | undefined;

  constructor(private readonly options: SharedSessionOptions) {
    const { channel, session } = options;
    channel.addEventListener('message', ({ data }) => this.receive(data));
    session.beforeSignOut(async () => {
      const { stored } = session;
      if (stored !== undefined) this.send({ kind: 'signOut', authorization: stored.authorization });
    });
  }

  /** Continues the session of another tab, if there is one. */
  async join(): Promise<void> {
    if (this.options.session.stored !== undefined) return;
    this.question = this.options.newId();
    this.isWaiting = true;
    this.send({ kind: 'question', id: this.question });
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    this.isWaiting = false;
    if (this.best !== undefined) this.adopt(this.best);
  }

  private adopt({ session }: Answer): void {
    const stored = readSession(session);
    if (stored !== undefined) this.options.session.adopt(stored);
  }

  private receive(data: unknown): void {
    const message = readMessage(data);
    const { session, lastUsedAt } = this.options;
    if (message?.kind === 'question' && session.stored !== undefined)
      this.send({ kind: 'answer', id: message.id, usedAt: lastUsedAt(), session: JSON.stringify(session.stored) });
    else if (message?.kind === 'answer' && message.id === this.question) {
      if (this.best === undefined || message.usedAt > this.best.usedAt) this.best = message;
      // A tab that was busy: the page of sign-in is shown already.
      if (!this.isWaiting) this.adopt(message);
    } else if (message?.kind === 'signOut') session.leave(message.authorization);
  }

  private send(message: Question | Answer | SignOut): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has only pages of this origin
    this.options.channel.postMessage(message);
  }
}

/** Undefined for what another version of the page sends. */
function readMessage(data: unknown): Question | Answer | SignOut | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { kind, id, usedAt, session, authorization }: Partial<Record<string, unknown>> = { ...data };
  if (kind === 'question' && typeof id === 'string') return { kind, id };
  if (kind === 'answer' && typeof id === 'string' && typeof usedAt === 'number' && typeof session === 'string')
    return { kind, id, usedAt, session };
  return kind === 'signOut' && typeof authorization === 'string' ? { kind, authorization } : undefined;
}
