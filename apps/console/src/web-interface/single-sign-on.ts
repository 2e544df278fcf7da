import { JsonReader } from './json-reader.js';
import { SignInRefused, UnexpectedAnswer } from './errors.js';
import { providerWords } from './refusal-words.js';
import { fetchOrThrow, readJson, urlAt, type Fetch } from './requests.js';
import type { TextStore } from './text-store.js';
import { texts } from '../texts/web-interface.js';

/** An OpenID Connect provider at which people may sign in. */
export interface Provider {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  readonly authorizationEndpoint: string;
}

/** How people may sign in here, beside a password. */
export type ProviderOffer =
  { readonly kind: 'none' } | { readonly kind: 'away' } | { readonly kind: 'offered'; readonly provider: Provider };

/** What the provider sent back, and what this page knew before: the parameters for the token service. */
export interface ProviderAnswer {
  readonly form: Readonly<Record<string, string>>;
}

export interface SingleSignOnOptions {
  readonly origin: string;
  readonly fetch: Fetch;
  /** Deleted with the tab: `sessionStorage`. */
  readonly tab: TextStore;
}

/** What is kept while the person is at the provider; of no use without the code that the provider then gives. */
interface Pending {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Path of this page to return to. */
  readonly returnTo: string;
}

const PENDING = 'ringdown.sign-in';
/** To this path the provider sends people back; the administrator has entered it there. */
const CALLBACK = '/console/';

/** Sends the person to a provider and reads what comes back: code flow with PKCE (RFC 6749, RFC 7636). */
export class SingleSignOn {
  constructor(private readonly options: SingleSignOnOptions) {}

  /** Throws Unreachable, or another error of the answer. */
  async offer(): Promise<ProviderOffer> {
    const { origin, fetch } = this.options;
    const response = await fetchOrThrow(fetch, urlAt(origin, '/sign-in/options'), {});
    const options = await readJson(response, 'the sign-in options'); // not shown: part of an error for developers
    if (!options.has('openId')) return { kind: 'none' };
    const found = options.field('openId');
    const authorizationEndpoint = found.optionalText('authorizationEndpoint');
    if (authorizationEndpoint === undefined) return { kind: 'away' };
    const [issuer, clientId, scope] = [found.text('issuer'), found.text('clientId'), found.text('scope')];
    return { kind: 'offered', provider: { issuer, clientId, scope, authorizationEndpoint } };
  }

  /** The address of the provider to go to now. */
  async begin({ clientId, scope, authorizationEndpoint }: Provider, returnTo: string): Promise<string> {
    const pending: Pending = { state: random(), nonce: random(), verifier: random(), returnTo };
    this.options.tab.setItem(PENDING, JSON.stringify(pending));
    const url = new URL(authorizationEndpoint);
    const parameters = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: this.redirectUri,
      scope,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await challengeOf(pending.verifier),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  }

  /**
   * What the provider has sent in the address of this page, and the path to return to; undefined if the address is an
   * ordinary one. The answer is a promise that rejects with SignInRefused for a failure.
   */
  arrival(search: string): { readonly answer: Promise<ProviderAnswer>; readonly returnTo: string } | undefined {
    const sent = new URLSearchParams(search);
    const isAnswer = sent.has('state') && (sent.has('code') || sent.has('error'));
    if (!isAnswer) return undefined;
    const pending = this.takePending();
    const returnTo = pending?.returnTo ?? CALLBACK;
    try {
      return { answer: Promise.resolve(this.answerIn(sent, pending)), returnTo };
    } catch (error) {
      return { answer: Promise.reject(error), returnTo };
    }
  }

  private answerIn(sent: URLSearchParams, pending: Pending | undefined): ProviderAnswer {
    // Somebody else may have made this address, to sign the person in as another one.
    if (pending === undefined || sent.get('state') !== pending.state) {
      throw new SignInRefused(texts.otherTab);
    }
    const error = sent.get('error');
    if (error === 'access_denied') throw new SignInRefused(texts.cancelled);
    if (error !== null) throw new SignInRefused(providerWords(error, sent.get('error_description')));
    const issuer = sent.get('iss');
    return {
      form: {
        grant_type: 'authorization_code',
        code: sent.get('code') ?? '',
        code_verifier: pending.verifier,
        nonce: pending.nonce,
        redirect_uri: this.redirectUri,
        ...(issuer === null ? {} : { iss: issuer }),
      },
    };
  }

  private takePending(): Pending | undefined {
    const { tab } = this.options;
    const text = tab.getItem(PENDING);
    tab.removeItem(PENDING);
    if (text === null) return undefined;
    try {
      const kept = new JsonReader(JSON.parse(text), 'the pending sign-in'); // not shown: part of an error for developers
      const returnTo = kept.text('returnTo');
      const [state, nonce, verifier] = [kept.text('state'), kept.text('nonce'), kept.text('verifier')];
      return { state, nonce, verifier, returnTo };
    } catch (error) {
      if (error instanceof UnexpectedAnswer || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  private get redirectUri(): string {
    return this.options.origin + CALLBACK;
  }
}

/** 256 bits. */
function random(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)));
}

async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return base64Url(new Uint8Array(digest));
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
