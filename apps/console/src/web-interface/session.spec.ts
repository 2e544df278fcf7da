import { SessionStore } from './session-store.js';
import type { TextStore } from './text-store.js';
import { Session } from './session.js';

class Remembering implements TextStore {
  readonly texts = new Map<string, string>();
  getItem(key: string): string | null {
    return this.texts.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.texts.set(key, value);
  }
  removeItem(key: string): void {
    this.texts.delete(key);
  }
}

describe('a session in a tab', () => {
  let tab: Remembering;
  let device: Remembering;
  let ids: number;
  const token = { authorization: 'Bearer t', expiresAt: 1000, revocation: '/revoke', username: 'alice@example.test' };

  beforeEach(() => {
    [tab, device, ids] = [new Remembering(), new Remembering(), 0];
  });

  function store(): SessionStore {
    return new SessionStore({ tab, device, newId: () => `id-${++ids}` });
  }

  /** A page that was just loaded. No requests to the server here: the integration test has them. */
  function page(now = 0): Session {
    const fetch = (): Promise<Response> => Promise.reject(new Error('the server was asked'));
    return new Session({ origin: 'https://uc.example.test', fetch, store: store(), now: () => now, farewellMs: 10 });
  }

  it('begins signed out', () => {
    expect(page().state).toEqual({ kind: 'signedOut', expired: false });
    expect([page().authorization, page().instanceId]).toEqual([undefined, undefined]);
  });

  it('continues after a reload', () => {
    const { instanceId } = store().save(token);
    expect(page().state).toEqual({ kind: 'signedIn', username: 'alice@example.test' });
    expect([page().authorization, page().instanceId]).toEqual(['Bearer t', instanceId]);
  });

  it('keeps the application address over a reload, but not that of another user', async () => {
    store().save(token);
    const before = page();
    before.remember('Bearer t', { applications: '/apps' });
    before.remember('Bearer of another user', { applications: '/others' });
    const after = page();
    expect(after.instanceId).toBe(before.instanceId);
    expect(await after.applicationsUrl()).toBe('/apps');
    await expect(before.signOut()).rejects.toThrow('The server cannot be reached.');
    before.remember('Bearer t', { applications: '/apps' });
    expect([...tab.texts]).toEqual([]);
  });

  it('does not continue when the token has expired', () => {
    store().save(token);
    expect(page(1000).state).toEqual({ kind: 'signedOut', expired: true });
    expect([...tab.texts]).toEqual([]);
  });

  it.each(['{', '[]', '{"authorization":"Bearer t"}', '"x"'])('begins signed out with %s in its store', (text) => {
    tab.setItem('ringdown.session', text);
    expect(page().state.kind).toBe('signedOut');
    expect([...tab.texts]).toEqual([]);
  });

  it('shares the endpoint with other tabs, and has its own instance', () => {
    const [one, other] = [store(), store()];
    expect(one.endpointId()).toBe(other.endpointId());
    expect(one.save(token).instanceId).not.toBe(other.save(token).instanceId);
  });

  it('forgets a token that the server refuses', () => {
    store().save(token);
    const session = page();
    let changes = 0;
    const end = session.subscribe(() => changes++);
    session.refused('Bearer of another user');
    expect([changes, session.state.kind]).toEqual([0, 'signedIn']);
    session.refused('Bearer t');
    expect([changes, session.state]).toEqual([1, { kind: 'signedOut', expired: true }]);
    expect([...tab.texts]).toEqual([]);
    end();
    session.refused('Bearer t');
    expect(changes).toBe(1);
  });

  it('forgets the token at once at sign-out, even if the server cannot be reached', async () => {
    store().save(token);
    const session = page();
    await expect(session.signOut()).rejects.toThrow('The server cannot be reached.');
    expect(session.state).toEqual({ kind: 'signedOut', expired: false });
    expect([...tab.texts]).toEqual([]);
    await session.signOut();
  });

  it('runs the sign-out listeners while the token is valid', async () => {
    store().save(token);
    const session = page();
    const calls: unknown[] = [];
    session.beforeSignOut(async () => void calls.push(session.authorization));
    session.beforeSignOut(() => Promise.reject(new Error('too late')));
    session.beforeSignOut(async () => void calls.push('removed'))();
    await expect(session.signOut()).rejects.toThrow('The server cannot be reached.');
    expect(calls).toEqual(['Bearer t']);
  });

  it('does not wait at sign-out for a network that drops everything', async () => {
    store().save(token);
    const session = page();
    session.beforeSignOut(() => new Promise(() => undefined));
    await expect(session.signOut()).rejects.toThrow('The server cannot be reached.');
    expect([session.state.kind, [...tab.texts]]).toEqual(['signedOut', []]);
  });

  it('continues that of another tab as a tab of its own, unless it has one or that one has expired', () => {
    const stored = { ...token, instanceId: 'of the other tab' };
    const session = page();
    session.adopt({ ...stored, expiresAt: 0 });
    expect(session.state.kind).toBe('signedOut');
    session.adopt(stored);
    session.adopt({ ...stored, username: 'mallory' });
    expect([session.state, session.authorization]).toEqual([
      { kind: 'signedIn', username: token.username },
      'Bearer t',
    ]);
    expect(session.instanceId).not.toBe(stored.instanceId);
  });

  it('ends when another tab signs out with its token', () => {
    store().save(token);
    const session = page();
    session.leave('Bearer of another user');
    expect(session.state.kind).toBe('signedIn');
    session.leave('Bearer t');
    expect([session.state, [...tab.texts]]).toEqual([{ kind: 'signedOut', expired: false }, []]);
  });

  it('gets a new instance id when it was duplicated', () => {
    store().save(token);
    const session = page();
    const before = session.instanceId;
    session.renameTab();
    expect(session.instanceId).not.toBe(before);
    expect(page().instanceId).toBe(session.instanceId);
  });
});
