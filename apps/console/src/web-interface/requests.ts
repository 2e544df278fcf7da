import { Refusal, TokenRefused, Unreachable, UnexpectedAnswer } from './errors.js';
import { Reading } from './reading.js';

export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

export interface RequestsOptions {
  /** Of the page: everything is asked there. */
  readonly origin: string;
  readonly fetch: Fetch;
  /** Value of the header; undefined while nobody is signed in. */
  readonly authorization: () => string | undefined;
  /** Called when the server does not take the token any more, with the value that was sent. */
  readonly onTokenRefused: (authorization: string) => void;
}

export interface Sending {
  /** Goes as JSON. */
  readonly body?: object;
  /** Goes as plain text, in place of `body`. */
  readonly text?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** How the server asks to be left alone for a while. */
const NOT_NOW = new Set([429, 502, 503, 504]);

/** Makes requests of the web interface as whoever is signed in. Failures are the errors of `errors.ts`. */
export class Requests {
  constructor(private readonly options: RequestsOptions) {}

  async get(href: string, { query = {}, signal }: Pick<Sending, 'query' | 'signal'> = {}): Promise<Reading> {
    return readingOf(await this.send('GET', href, { query, ...(signal && { signal }) }), href);
  }

  /** The answer to something that is not JSON; undefined where there is nothing. */
  async getFile(href: string, signal?: AbortSignal): Promise<Blob | undefined> {
    try {
      const response = await this.send('GET', href, signal ? { signal } : {});
      return await response.blob();
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) return undefined;
      throw error;
    }
  }

  async post(href: string, sending: Sending = {}): Promise<Reading> {
    return readingOf(await this.send('POST', href, sending), href);
  }

  /** Posts what is answered with a `Location`, or with nothing. */
  async tell(href: string, sending: Sending = {}): Promise<string | undefined> {
    const response = await this.send('POST', href, sending);
    await response.body?.cancel();
    return response.headers.get('location') ?? undefined;
  }

  async put(href: string, sending: Sending): Promise<void> {
    const response = await this.send('PUT', href, sending);
    await response.body?.cancel();
  }

  async delete(href: string): Promise<void> {
    const response = await this.send('DELETE', href);
    await response.body?.cancel();
  }

  private async send(method: string, href: string, sending: Sending = {}): Promise<Response> {
    const authorization = this.options.authorization();
    if (authorization === undefined) throw new TokenRefused();
    const headers = { accept: 'application/json', ...contentType(sending), ...sending.headers, authorization };
    const url = urlAt(this.options.origin, href, sending.query);
    const response = await reach(this.options.fetch, url, {
      method,
      headers,
      body: sending.text ?? (sending.body === undefined ? null : JSON.stringify(sending.body)),
      signal: sending.signal ?? null,
    });
    if (response.status === 401) {
      this.options.onTokenRefused(authorization);
      throw new TokenRefused();
    }
    if (!response.ok) throw await errorOf(response);
    return response;
  }
}

/**
 * Where a link leads. Absolute ones are taken at the page's own origin: the system may be reached under several names,
 * and a token is shown to none but the one that has served the page.
 */
export function urlAt(origin: string, href: string, query: Readonly<Record<string, string>> = {}): URL {
  const { pathname, search } = new URL(href, origin);
  const url = new URL(origin);
  url.pathname = pathname;
  url.search = search;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/** As `fetch`, with failures that say what they mean. Being aborted stays what it is. */
export async function reach(fetch: Fetch, url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    if (init.signal?.aborted === true) throw cause;
    throw new Unreachable('The server cannot be reached.', undefined, { cause });
  }
}

/** The body of an answer, which has to be JSON. A connection that breaks in the middle of it is no fault of the server. */
export async function readingOf(response: Response, where: string): Promise<Reading> {
  const text = await textOf(response);
  try {
    return new Reading(JSON.parse(text), where);
  } catch (cause) {
    throw new UnexpectedAnswer(`${where} did not answer JSON`, { cause });
  }
}

async function textOf(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw new Unreachable('The connection broke.', undefined, { cause });
  }
}

/** The error that an answer without success is. */
export async function errorOf(response: Response): Promise<Error> {
  const body = await readingOf(response, 'the error').catch(() => undefined);
  const text = (name: string): string | undefined => (body?.has(name) === true ? body.optionalText(name) : undefined);
  const message = text('message') ?? text('error_description') ?? `The server answered ${response.status}.`;
  if (NOT_NOW.has(response.status)) return new Unreachable(message, retryAfterOf(response));
  const subcode = text('subcode');
  const reason = { code: text('code') ?? text('error') ?? 'Unknown', ...(subcode === undefined ? {} : { subcode }) };
  return new Refusal(response.status, reason, message);
}

function retryAfterOf(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? 'none');
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

function contentType({ body, text }: Sending): Record<string, string> {
  if (text !== undefined) return { 'content-type': 'text/plain;charset=utf-8' };
  return body === undefined ? {} : { 'content-type': 'application/json' };
}
