import { Requests, type Fetch } from './requests.js';
import type { KeptSession, SessionStore } from './session-store.js';
import { TokenClient, type Credentials } from './token.js';

export type SessionState =
  | { readonly kind: 'signedIn'; readonly username: string }
  /** `expired`: the server does not take the token any more. */
  | { readonly kind: 'signedOut'; readonly expired: boolean };

export interface SessionOptions {
  readonly origin: string;
  readonly fetch: Fetch;
  readonly store: SessionStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Whether somebody is signed in here, and as whom. One for a page. */
export class Session {
  readonly requests: Requests;
  private readonly tokens: TokenClient;
  private readonly listeners = new Set<() => void>();
  private readonly farewells = new Set<() => Promise<void>>();
  private kept: KeptSession | undefined;
  private current: SessionState;

  constructor(private readonly options: SessionOptions) {
    const { origin, fetch, store, now } = options;
    this.tokens = new TokenClient({ origin, fetch, now });
    const kept = store.read();
    const isOver = kept !== undefined && kept.expiresAt <= now();
    if (isOver) store.forget();
    else this.kept = kept;
    this.current = stateOf(this.kept, isOver);
    this.requests = new Requests({
      origin,
      fetch,
      authorization: () => this.authorization,
      onTokenRefused: (authorization) => this.refused(authorization),
    });
  }

  /** The same object until something changes. */
  get state(): SessionState {
    return this.current;
  }

  /** Value of `Authorization` for whatever else the page asks; undefined while nobody is signed in. */
  get authorization(): string | undefined {
    return this.kept?.authorization;
  }

  /** This tab, for the application; undefined while nobody is signed in. */
  get instanceId(): string | undefined {
    return this.kept?.instanceId;
  }

  get endpointId(): string {
    return this.options.store.endpointId();
  }

  /** Calls back after every change of `state`; returns how to end that. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** What is done before somebody signs out, as long as the token is good for it; returns how to take that back. */
  beforeSignOut(farewell: () => Promise<void>): () => void {
    this.farewells.add(farewell);
    return () => void this.farewells.delete(farewell);
  }

  /** Throws SignInRefused when the username or the password is wrong. */
  async signIn(credentials: Credentials): Promise<void> {
    const token = await this.tokens.signIn(credentials);
    this.become(this.options.store.keep({ ...token, username: credentials.username }), false);
  }

  /**
   * The token is good for nothing any more, and gone from here whatever happens; rejects when the server could not be
   * told, with which the token is valid until its time is up.
   */
  async signOut(): Promise<void> {
    const { kept } = this;
    if (kept === undefined) return;
    // One that fails has nothing to say that matters now: the server forgets what nobody uses.
    await Promise.allSettled([...this.farewells].map((farewell) => farewell()));
    this.become(undefined, false);
    await this.tokens.revoke(kept);
  }

  /** Says that the server does not take a token any more. One that was replaced in the meantime is nobody's business. */
  refused(authorization: string): void {
    if (authorization === this.kept?.authorization) this.become(undefined, true);
  }

  /** Another name for this tab, as there is another one with the same: a tab that was duplicated takes its store along. */
  renameTab(): void {
    if (this.kept !== undefined) this.kept = this.options.store.keep(this.kept);
  }

  /** For the next load of the page, so that it need not wait for it: what was told to whoever had asked with this token. */
  remember(authorization: string | undefined, told: Pick<KeptSession, 'applications'>): void {
    if (this.kept === undefined || this.kept.authorization !== authorization) return;
    this.kept = this.options.store.write({ ...this.kept, ...told });
  }

  /** Where the applications of the user are (spec, rows 1 and 4), or were when that was asked in this session. */
  async applicationsUrl(): Promise<string> {
    return this.kept?.applications ?? this.discoverApplications();
  }

  /** The same, asked anew. */
  async discoverApplications(): Promise<string> {
    const { authorization } = this;
    const user = await this.requests.get(await this.tokens.userUrl());
    const applications = user.link('applications');
    this.remember(authorization, { applications });
    return applications;
  }

  private become(kept: KeptSession | undefined, expired: boolean): void {
    if (kept === undefined) this.options.store.forget();
    this.kept = kept;
    this.current = stateOf(kept, expired);
    for (const listener of this.listeners) listener();
  }
}

function stateOf(kept: KeptSession | undefined, expired: boolean): SessionState {
  return kept === undefined ? { kind: 'signedOut', expired } : { kind: 'signedIn', username: kept.username };
}
