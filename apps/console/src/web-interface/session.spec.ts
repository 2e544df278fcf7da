import { SessionStore, type TextStore } from './session-store.js';
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

describe('a tab', () => {
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

  /** A page that was just loaded. Nothing here asks the server: that is what the integration test is for. */
  function page(now = 0): Session {
    const fetch = (): Promise<Response> => Promise.reject(new Error('the server was asked'));
    return new Session({ origin: 'https://uc.example.test', fetch, store: store(), now: () => now });
  }

  it('begins with nobody', () => {
    expect(page().state).toEqual({ kind: 'signedOut', expired: false });
    expect([page().authorization, page().instanceId]).toEqual([undefined, undefined]);
  });

  it('goes on after a reload', () => {
    const { instanceId } = store().keep(token);
    expect(page().state).toEqual({ kind: 'signedIn', username: 'alice@example.test' });
    expect([page().authorization, page().instanceId]).toEqual(['Bearer t', instanceId]);
  });

  it('remembers over a reload what was told to its user, and not what was told to another', async () => {
    store().keep(token);
    const before = page();
    before.remember('Bearer t', { applications: '/apps' });
    before.remember('Bearer of somebody else', { applications: '/others' });
    const after = page();
    expect(after.instanceId).toBe(before.instanceId);
    expect(await after.applicationsUrl()).toBe('/apps');
    await expect(before.signOut()).rejects.toThrow('The server cannot be reached.');
    before.remember('Bearer t', { applications: '/apps' });
    expect([...tab.texts]).toEqual([]);
  });

  it('does not go on when the token has run out', () => {
    store().keep(token);
    expect(page(1000).state).toEqual({ kind: 'signedOut', expired: true });
    expect([...tab.texts]).toEqual([]);
  });

  it.each(['{', '[]', '{"authorization":"Bearer t"}', '"x"'])('begins anew with %s in its store', (text) => {
    tab.setItem('ringdown.session', text);
    expect(page().state.kind).toBe('signedOut');
    expect([...tab.texts]).toEqual([]);
  });

  it('is the same client as other tabs, and a tab of its own', () => {
    const [one, other] = [store(), store()];
    expect(one.endpointId()).toBe(other.endpointId());
    expect(one.keep(token).instanceId).not.toBe(other.keep(token).instanceId);
  });

  it('forgets a token that the server does not take', () => {
    store().keep(token);
    const session = page();
    let changes = 0;
    const end = session.subscribe(() => changes++);
    session.refused('Bearer of somebody else');
    expect([changes, session.state.kind]).toEqual([0, 'signedIn']);
    session.refused('Bearer t');
    expect([changes, session.state]).toEqual([1, { kind: 'signedOut', expired: true }]);
    expect([...tab.texts]).toEqual([]);
    end();
    session.refused('Bearer t');
    expect(changes).toBe(1);
  });

  it('forgets the token at once when somebody signs out, also when the server cannot be told', async () => {
    store().keep(token);
    const session = page();
    await expect(session.signOut()).rejects.toThrow('The server cannot be reached.');
    expect(session.state).toEqual({ kind: 'signedOut', expired: false });
    expect([...tab.texts]).toEqual([]);
    await session.signOut();
  });

  it('says good-bye while it still has the token', async () => {
    store().keep(token);
    const session = page();
    const said: unknown[] = [];
    session.beforeSignOut(async () => void said.push(session.authorization));
    session.beforeSignOut(() => Promise.reject(new Error('too late')));
    session.beforeSignOut(async () => void said.push('taken back'))();
    await expect(session.signOut()).rejects.toThrow('The server cannot be reached.');
    expect(said).toEqual(['Bearer t']);
  });

  it('takes another name when it was duplicated', () => {
    store().keep(token);
    const session = page();
    const before = session.instanceId;
    session.renameTab();
    expect(session.instanceId).not.toBe(before);
    expect(page().instanceId).toBe(session.instanceId);
  });
});
