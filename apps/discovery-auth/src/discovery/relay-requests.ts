// oxlint-disable unicorn/consistent-function-scoping -- the script travels as the text of one function, its inner ones with it

/** The part of a browser's window that the cross-frame page needs. */
export interface FrameWindow {
  addEventListener(type: 'message', listen: (event: FrameMessage) => void): void;
  readonly XMLHttpRequest: new () => FrameRequest;
}

export interface FrameMessage {
  readonly data: unknown;
  readonly origin: string;
  readonly source: { postMessage(message: string, targetOrigin: string): void } | null;
}

/** The part of XMLHttpRequest that the page needs. */
export interface FrameRequest {
  onloadend: (() => void) | null;
  timeout: number;
  readonly status: number;
  readonly responseText: string;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  send(body: string | null): void;
  getAllResponseHeaders(): string;
}

/**
 * The script of the cross-frame page: receives requests as messages from the page around the frame, sends them from our
 * origin, and replies with messages (web-interface.md, section 1). Its source text is sent to the browser, so it may
 * use only its arguments and what browsers provide. `originHeader` tells the server the origin of the outer page;
 * `spelled` returns the name of a header in the case that clients look for, because browsers return names in lower
 * case.
 */
export function relayRequests(window: FrameWindow, originHeader: string, spelled: (name: string) => string): void {
  interface RelayedRequest {
    readonly type?: unknown;
    readonly url?: unknown;
    readonly headers?: unknown;
    readonly data?: unknown;
    readonly messageId?: unknown;
    readonly accepts?: unknown;
    readonly contentType?: unknown;
    readonly timeout?: unknown;
  }

  function parsed(data: unknown): RelayedRequest | undefined {
    if (typeof data !== 'string') return undefined;
    try {
      const value: unknown = JSON.parse(data);
      return typeof value === 'object' && value !== null && 'messageId' in value ? value : undefined;
    } catch {
      // Other scripts post messages as well; they are not meant for this page.
      return undefined;
    }
  }

  /** The last one counts, in whatever case it is written: two would be sent as a list. */
  function headersOf(relayed: RelayedRequest, origin: string): Map<string, string> {
    const headers = new Map<string, string>();
    if (typeof relayed.accepts === 'string') headers.set('accept', relayed.accepts);
    if (typeof relayed.contentType === 'string') headers.set('content-type', relayed.contentType);
    for (const [name, value] of Object.entries(Object(relayed.headers))) headers.set(name.toLowerCase(), String(value));
    headers.set('x-requested-with', 'XMLHttpRequest');
    // Not taken from the message: the browser guarantees the origin of the outer page.
    headers.set(originHeader, origin);
    return headers;
  }

  function bodyOf(data: unknown, contentType: string): string | null {
    if (data === undefined || data === null || data === '') return null;
    if (typeof data === 'string') return data;
    if (!contentType.includes('urlencoded')) return JSON.stringify(data);
    const pairs = Object.entries(Object(data)).map((pair) => pair.map((part) => encodeURIComponent(String(part))));
    return pairs.map((pair) => pair.join('=')).join('&');
  }

  function headerLines(raw: string): string {
    const lines = raw.split('\r\n').filter((line) => line !== '');
    return lines.map((line) => spelled(line.slice(0, line.indexOf(':'))) + line.slice(line.indexOf(':'))).join('\r\n');
  }

  /** One of the status texts that clients know from the library that they were written with. */
  function statusTextOf(status: number): string {
    if (status === 304) return 'notmodified';
    return status >= 200 && status < 300 ? 'success' : 'error';
  }

  window.addEventListener('message', (event) => {
    const relayed = parsed(event.data);
    const { source, origin } = event;
    if (relayed === undefined || source === null) return;
    const answer = (status: number, responseText: string, headers: string): void => {
      const { messageId } = relayed;
      const message = { status, statusText: statusTextOf(status), responseText, headers, messageId };
      source.postMessage(JSON.stringify(message), origin === 'null' ? '*' : origin);
    };
    const request = new window.XMLHttpRequest();
    request.onloadend = (): void => {
      answer(request.status, request.responseText, headerLines(request.getAllResponseHeaders()));
    };
    try {
      const { type = 'GET', url } = relayed;
      if (typeof type !== 'string' || typeof url !== 'string') return answer(0, '', '');
      request.open(type.toUpperCase(), url);
      const headers = headersOf(relayed, origin);
      for (const [name, value] of headers) request.setRequestHeader(name, value);
      if (typeof relayed.timeout === 'number') request.timeout = relayed.timeout;
      request.send(bodyOf(relayed.data, headers.get('content-type') ?? ''));
    } catch {
      // A URL, a method or a header that browsers reject.
      answer(0, '', '');
    }
  });
}
