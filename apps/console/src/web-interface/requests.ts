import { RequestRefused, TokenRefused, Unreachable, UnexpectedAnswer } from './errors.js';
import { JsonReader } from './json-reader.js';
import { refusalWords } from './refusal-words.js';
import { texts } from '../texts/web-interface.js';

export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

export interface RequestsOptions {
  /** Origin of the page, to which all requests go. */
  readonly origin: string;
  readonly fetch: Fetch;
  /** Value of the header; undefined without a signed-in user. */
  readonly authorization: () => string | undefined;
  /** Called when the server refuses the token, with the value that was sent. */
  readonly onTokenRefused: (authorization: string) => void;
}

export interface Sending {
  /** Sent as JSON. */
  readonly body?: object;
  /** Sent as plain text, instead of `body`. */
  readonly text?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Sent even if the page is closed at once. */
  readonly keepalive?: boolean;
}

/** Statuses of a server that is not ready. */
const NOT_NOW = new Set([429, 502, 503, 504]);

/** Sends requests to the web interface as the signed-in user. Failures are the errors of `errors.ts`. */
export class Requests {
  constructor(private readonly options: RequestsOptions) {}

  async get(href: string, { query = {}, signal }: Pick<Sending, 'query' | 'signal'> = {}): Promise<JsonReader> {
    return readJson(await this.send('GET', href, { query, ...(signal && { signal }) }), href);
  }

  /** The body of an answer that is not JSON; undefined if there is none. */
  async getFile(href: string, signal?: AbortSignal): Promise<Blob | undefined> {
    try {
      const response = await this.send('GET', href, signal ? { signal } : {});
      return await response.blob();
    } catch (error) {
      if (error instanceof RequestRefused && error.status === 404) return undefined;
      throw error;
    }
  }

  async post(href: string, sending: Sending = {}): Promise<JsonReader> {
    return readJson(await this.send('POST', href, sending), href);
  }

  /** Posts a request whose answer has only a `Location`, or nothing. */
  async notify(href: string, sending: Sending = {}): Promise<string | undefined> {
    const response = await this.send('POST', href, sending);
    await response.body?.cancel();
    return response.headers.get('location') ?? undefined;
  }

  async put(href: string, sending: Sending): Promise<void> {
    const response = await this.send('PUT', href, sending);
    await response.body?.cancel();
  }

  async delete(href: string, sending: Pick<Sending, 'keepalive'> = {}): Promise<void> {
    const response = await this.send('DELETE', href, sending);
    await response.body?.cancel();
  }

  private async send(method: string, href: string, sending: Sending = {}): Promise<Response> {
    const authorization = this.options.authorization();
    if (authorization === undefined) throw new TokenRefused();
    const headers = { accept: 'application/json', ...contentType(sending), ...sending.headers, authorization };
    const url = urlAt(this.options.origin, href, sending.query);
    const response = await fetchOrThrow(this.options.fetch, url, {
      method,
      headers,
      body: sending.text ?? (sending.body === undefined ? null : JSON.stringify(sending.body)),
      signal: sending.signal ?? null,
      ...(sending.keepalive === true ? { keepalive: true } : {}),
    });
    if (response.status === 401) {
      this.options.onTokenRefused(authorization);
      throw new TokenRefused();
    }
    if (!response.ok) throw await readResponseError(response);
    return response;
  }
}

/**
 * The URL of a link. Absolute links are used with the page's own origin: the system may have several names,
 * and a token is sent only to the one that has served the page.
 */
export function urlAt(origin: string, href: string, query: Readonly<Record<string, string>> = {}): URL {
  const { pathname, search } = new URL(href, origin);
  const url = new URL(origin);
  url.pathname = pathname;
  url.search = search;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/** As `fetch`, but with the errors of `errors.ts`. An AbortError is rethrown. */
export async function fetchOrThrow(fetch: Fetch, url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    if (init.signal?.aborted === true) throw cause;
    throw new Unreachable(texts.unreachable, undefined, { cause });
  }
}

/** The JSON body of an answer. A connection that breaks meanwhile counts as unreachable. */
export async function readJson(response: Response, where: string): Promise<JsonReader> {
  const text = await readResponseText(response);
  try {
    return new JsonReader(JSON.parse(text), where);
  } catch (cause) {
    throw new UnexpectedAnswer(`${where} did not return JSON`, { cause });
  }
}

async function readResponseText(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw new Unreachable(texts.connectionBroke, undefined, { cause });
  }
}

/** The error for an answer without success. */
export async function readResponseError(response: Response): Promise<Error> {
  const body = await readJson(response, 'the error').catch(() => undefined); // not shown: part of an error for developers
  const text = (name: string): string | undefined => (body?.has(name) === true ? body.optionalText(name) : undefined);
  const subcode = text('subcode');
  const reason = { code: text('code') ?? text('error') ?? 'Unknown', ...(subcode === undefined ? {} : { subcode }) }; // not shown: a value of the web interface
  const said = text('message') ?? text('error_description');
  const message = refusalWords(reason, said) ?? texts.respondedWith(String(response.status));
  if (NOT_NOW.has(response.status)) return new Unreachable(message, retryAfterOf(response));
  return new RequestRefused(response.status, reason, message);
}

function retryAfterOf(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? 'none');
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

function contentType({ body, text }: Sending): Record<string, string> {
  if (text !== undefined) return { 'content-type': 'text/plain;charset=utf-8' };
  return body === undefined ? {} : { 'content-type': 'application/json' };
}
