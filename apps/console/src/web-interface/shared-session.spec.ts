import type { StoredSession } from './session-store.js';
import { SharedSession, type TabChannel } from './shared-session.js';

const TOKEN = { authorization: 'Bearer t', expiresAt: 9e15, revocation: '/revoke', username: 'carol', instanceId: 'i' };

/** Tabs of one browser. */
class Browser {
  readonly sent: unknown[] = [];
  private readonly tabs = new Map<TabChannel, ((event: { data: unknown }) => void)[]>();

  open(stored: StoredSession | undefined, usedAt = 0): { readonly shared: SharedSession; readonly session: Tab } {
    const listeners: ((event: { data: unknown }) => void)[] = [];
    const channel: TabChannel = {
      postMessage: (message) => {
        this.sent.push(message);
        this.deliver(message, channel);
      },
      addEventListener: (_, listener) => void listeners.push(listener),
    };
    this.tabs.set(channel, listeners);
    const session = new Tab(stored);
    const newId = (): string => `question ${this.tabs.size}`;
    return { shared: new SharedSession({ session, channel, lastUsedAt: () => usedAt, newId }), session };
  }

  /** To all tabs but the sender. */
  deliver(data: unknown, sender?: TabChannel): void {
    for (const [channel, listeners] of this.tabs)
      if (channel !== sender) for (const listener of listeners) listener({ data });
  }
}

class Tab {
  readonly departures: string[] = [];
  private farewell: () => Promise<void> = async () => undefined;

  constructor(public stored: StoredSession | undefined) {}

  adopt(stored: StoredSession): void {
    this.stored = stored;
  }

  leave(authorization: string): void {
    this.departures.push(authorization);
  }

  beforeSignOut(farewell: () => Promise<void>): () => void {
    this.farewell = farewell;
    return () => undefined;
  }

  async signOut(): Promise<void> {
    await this.farewell();
  }
}

describe('a session of several tabs', () => {
  it('is continued by a new tab: that of the tab that was used last', async () => {
    const browser = new Browser();
    browser.open({ ...TOKEN, username: 'anna' }, 1);
    browser.open(TOKEN, 3);
    browser.open({ ...TOKEN, username: 'ben' }, 2);
    const { shared, session } = browser.open(undefined);
    await shared.join();
    expect(session.stored).toEqual(TOKEN);
  });

  it('is not requested by a tab that has one', async () => {
    const browser = new Browser();
    const { shared } = browser.open(TOKEN);
    await shared.join();
    expect(browser.sent).toEqual([]);
  });

  it('is not there without another tab, or if all are signed out', async () => {
    const browser = new Browser();
    browser.open(undefined);
    const { shared, session } = browser.open(undefined);
    await shared.join();
    expect(session.stored).toBeUndefined();
  });

  it('is continued also if the answer comes late', async () => {
    const browser = new Browser();
    const { shared, session } = browser.open(undefined);
    await shared.join();
    browser.deliver({ kind: 'answer', id: 'question 1', usedAt: 1, session: JSON.stringify(TOKEN) });
    expect(session.stored).toEqual(TOKEN);
  });

  it('ends in all tabs', async () => {
    const browser = new Browser();
    const [one, other] = [browser.open(TOKEN), browser.open(TOKEN)];
    await one.session.signOut();
    expect([one.session.departures, other.session.departures]).toEqual([[], ['Bearer t']]);
  });

  it.each([
    ['nothing', undefined],
    ['a text', 'question'],
    ['an answer without a session', { kind: 'answer', id: 'question 1', usedAt: 9 }],
    ['an answer that is no session', { kind: 'answer', id: 'question 1', usedAt: 9, session: '{"a":' }],
    ['an answer to another question', { kind: 'answer', id: 'x', usedAt: 9, session: JSON.stringify(TOKEN) }],
  ])('is not made of %s', async (_, message) => {
    const browser = new Browser();
    const { shared, session } = browser.open(undefined);
    const joined = shared.join();
    browser.deliver(message);
    await joined;
    expect(session.stored).toBeUndefined();
  });
});
