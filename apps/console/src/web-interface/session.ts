import { Requests, type Fetch } from './requests.js';
import type { ProviderAnswer } from './single-sign-on.js';
import type { StoredSession, SessionStore } from './session-store.js';
import { TokenClient, type Credentials } from './token.js';

export type SessionState =
  | { readonly kind: 'signedIn'; readonly username: string }
  /** `expired`: the server refuses the token. */
  | { readonly kind: 'signedOut'; readonly expired: boolean };

export interface SessionOptions {
  readonly origin: string;
  readonly fetch: Fetch;
  readonly store: SessionStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How long a sign-out waits for what is to be done before it, milliseconds. */
  readonly farewellMs?: number;
}

/** A network that drops all packets answers nothing for minutes. */
const FAREWELL_MS = 2_000;

/** The sign-in state of the page. One per page. */
export class Session {
  readonly requests: Requests;
  private readonly tokens: TokenClient;
  private readonly listeners = new Set<() => void>();
  private readonly farewells = new Set<() => Promise<void>>();
  private kept: StoredSession | undefined;
  private current: SessionState;

  constructor(private readonly options: SessionOptions) {
    const { origin, fetch, store, now } = options;
    this.tokens = new TokenClient({ origin, fetch, now });
    const kept = store.read();
    const isOver = kept !== undefined && kept.expiresAt <= now();
    if (isOver) store.forget();
    else this.kept = kept;
    this.current = storedSessionState(this.kept, isOver);
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

  /** Value of `Authorization` for other requests of the page; undefined without a signed-in user. */
  get authorization(): string | undefined {
    return this.kept?.authorization;
  }

  /** The id of this tab, for the application; undefined without a signed-in user. */
  get instanceId(): string | undefined {
    return this.kept?.instanceId;
  }

  get endpointId(): string {
    return this.options.store.endpointId();
  }

  /** What another tab of this browser needs to continue this session; undefined without a signed-in user. */
  get stored(): StoredSession | undefined {
    return this.kept;
  }

  /** Continues the session of another tab, as a tab of its own. Ignored once somebody is signed in here, or if it has expired. */
  adopt(stored: StoredSession): void {
    if (this.kept === undefined && stored.expiresAt > this.options.now())
      this.become(this.options.store.save(stored), false);
  }

  /** Calls back after every change of `state`; returns the function that ends it. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Registers what to do before sign-out, while the token is valid; returns the function that removes it. */
  beforeSignOut(farewell: () => Promise<void>): () => void {
    this.farewells.add(farewell);
    return () => void this.farewells.delete(farewell);
  }

  /** Throws SignInRefused if the username or the password is wrong. */
  async signIn(credentials: Credentials): Promise<void> {
    this.become(this.options.store.save(await this.tokens.signIn(credentials)), false);
  }

  /** Throws SignInRefused if the answer of the provider is not accepted. */
  async signInByProvider(answer: ProviderAnswer): Promise<void> {
    this.become(this.options.store.save(await this.tokens.redeem(answer)), false);
  }

  /**
   * Revokes the token, and forgets it in any case; rejects when the server could not be
   * reached, where the token stays valid until it expires. Returns where to sign out at the provider, too; undefined
   * after sign-in with a password.
   */
  async signOut(): Promise<string | undefined> {
    const { kept } = this;
    if (kept === undefined) return undefined;
    // Failures do not matter now: the server expires unused applications.
    const all = Promise.allSettled([...this.farewells].map((farewell) => farewell()));
    await Promise.race([all, passed(this.options.farewellMs ?? FAREWELL_MS)]);
    this.become(undefined, false);
    await this.tokens.revoke(kept);
    return kept.endSession;
  }

  /** The server has refused a token. Ignored if the token was replaced meanwhile. */
  refused(authorization: string): void {
    if (authorization === this.kept?.authorization) this.become(undefined, true);
  }

  /** Another tab has signed out, and revokes the token. Ignored for another token. */
  leave(authorization: string): void {
    if (authorization === this.kept?.authorization) this.become(undefined, false);
  }

  /** A new id for this tab, because another tab has the same: a duplicated tab has a copy of the store. */
  renameTab(): void {
    if (this.kept !== undefined) this.kept = this.options.store.save(this.kept);
  }

  /** Stores answers for the next load of the page. Ignored if they were for another token. */
  remember(authorization: string | undefined, answers: Pick<StoredSession, 'applications'>): void {
    if (this.kept === undefined || this.kept.authorization !== authorization) return;
    this.kept = this.options.store.write({ ...this.kept, ...answers });
  }

  /** The address of the user's applications (web-interface.md, section 1), as known in this session. */
  async applicationsUrl(): Promise<string> {
    return this.kept?.applications ?? this.discoverApplications();
  }

  /** The same, requested again. */
  async discoverApplications(): Promise<string> {
    const { authorization } = this;
    const user = await this.requests.get(await this.tokens.userUrl());
    const applications = user.link('applications');
    this.remember(authorization, { applications });
    return applications;
  }

  private become(kept: StoredSession | undefined, expired: boolean): void {
    if (kept === undefined) this.options.store.forget();
    this.kept = kept;
    this.current = storedSessionState(kept, expired);
    for (const listener of this.listeners) listener();
  }
}

function storedSessionState(kept: StoredSession | undefined, expired: boolean): SessionState {
  return kept === undefined ? { kind: 'signedOut', expired } : { kind: 'signedIn', username: kept.username };
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
