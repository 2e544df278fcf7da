/** Who is signed in. `roles` holds `operator` where the query API may be asked. */
export interface SignedIn {
  readonly token: string;
  readonly user: string;
  readonly roles: readonly string[];
}

/** Why nobody is signed in; `expired`: the token was good until now. */
export interface SignedOut {
  readonly because: 'new' | 'left' | 'expired';
}

export type SessionState = SignedIn | SignedOut;

export interface SessionOptions {
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>;
}

/** Why a sign-in did not come about, in words for the person. */
export class SignInError extends Error {
  override readonly name = 'SignInError';
}

const KEY = 'ringdown.session';

/** Signs in and out through interface A: discovery, challenge, token. The token stays in this tab. */
export class Session {
  private current: SessionState;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly options: SessionOptions) {
    this.current = stored(options.storage) ?? { because: 'new' };
  }

  get state(): SessionState {
    return this.current;
  }

  get token(): string | undefined {
    return 'token' in this.current ? this.current.token : undefined;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Rejects with a {@link SignInError} that says what is wrong. */
  async signIn(name: string, password: string): Promise<void> {
    const tokenPath = await this.tokenPath();
    const body = new URLSearchParams({ grant_type: 'password', Username: name, password });
    const answer = await this.ask(tokenPath, { method: 'POST', body });
    const said: unknown = await answer.json().catch(() => undefined);
    if (!answer.ok) throw new SignInError(textOf(said, 'error_description') ?? `The server answered ${answer.status}.`);
    const token = textOf(said, 'access_token');
    if (token === undefined) throw new SignInError('The server gave no token.');
    const roles = await this.rolesOf(token);
    this.options.storage.setItem(KEY, JSON.stringify({ token, user: name, roles, tokenPath }));
    this.become({ token, user: name, roles });
  }

  /** Takes the token back as well, so that it is good for nothing. Where that fails, it is forgotten all the same. */
  async signOut(): Promise<void> {
    const { token } = this;
    const { tokenPath } = parsed(this.options.storage.getItem(KEY));
    this.end('left');
    if (token === undefined || typeof tokenPath !== 'string') return;
    await this.ask(`${tokenPath}/revoke`, { method: 'POST', body: new URLSearchParams({ token }) }).catch(
      () => undefined,
    );
  }

  /** The server does not know the token any more. Another token that came meanwhile stays. */
  expire(token: string): void {
    if (token === this.token) this.end('expired');
  }

  private end(because: SignedOut['because']): void {
    this.options.storage.removeItem(KEY);
    this.become({ because });
  }

  private become(state: SessionState): void {
    this.current = state;
    for (const listener of this.listeners) listener();
  }

  private async tokenPath(): Promise<string> {
    const discovery: unknown = await (await this.ask('/', { headers: { accept: 'application/json' } })).json();
    const user = pathOf(linkOf(discovery, 'user'));
    const challenge = (await this.ask(user, {})).headers.get('www-authenticate') ?? '';
    return pathOf(/\bhref="([^"]+)"/.exec(challenge)?.[1]);
  }

  private async rolesOf(token: string): Promise<readonly string[]> {
    const answer = await this.ask('/api/calls?limit=1', { headers: { authorization: `Bearer ${token}` } });
    return answer.status === 403 ? [] : ['operator'];
  }

  private async ask(path: string, init: RequestInit): Promise<Response> {
    try {
      return await this.options.fetch(path, { ...init, credentials: 'omit', cache: 'no-store' });
    } catch (error) {
      throw new SignInError('The server does not answer. Try again soon.', { cause: error });
    }
  }
}

/** Links are absolute with the server's public name; this page may have been opened under another of its names. */
function pathOf(href: string | undefined): string {
  if (href === undefined) throw new SignInError('The server does not say how to sign in.');
  const { pathname, search } = new URL(href, 'https://any');
  return pathname + search;
}

function linkOf(resource: unknown, rel: string): string | undefined {
  const links = property(resource, '_links');
  return textOf(property(links, rel), 'href');
}

function textOf(value: unknown, name: string): string | undefined {
  const found = property(value, name);
  return typeof found === 'string' ? found : undefined;
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function parsed(text: string | null): Readonly<Record<string, unknown>> {
  const value: unknown = text === null ? undefined : JSON.parse(text);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function stored(storage: SessionOptions['storage']): SignedIn | undefined {
  const { token, user, roles } = parsed(storage.getItem(KEY));
  if (typeof token !== 'string' || typeof user !== 'string' || !Array.isArray(roles)) return undefined;
  return { token, user, roles: roles.map(String) };
}
