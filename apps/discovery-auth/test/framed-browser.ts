import { request } from 'node:http';
import { createContext, runInContext } from 'node:vm';
import type { FrameMessage, FrameRequest } from '../src/discovery/relay-requests.js';

export interface FrameAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly responseText: string;
  readonly headers: string;
  readonly messageId: unknown;
}

/** The origin of the page in the browser. */
const PUBLIC_ORIGIN = 'https://uc.example.test';

/**
 * A cross-frame page as a browser has loaded it: runs the script of the served page, sends its requests over HTTP and
 * hides the case of header names, as browsers do.
 */
export class FramedBrowser {
  private listen: ((event: FrameMessage) => void) | undefined;

  constructor(base: string, html: string) {
    const script = /<script>(.*)<\/script>/s.exec(html)?.[1] ?? '';
    const window = {
      addEventListener: (_type: string, listen: (event: FrameMessage) => void): void => void (this.listen = listen),
      XMLHttpRequest: requestsFrom(base),
    };
    runInContext(script, createContext({ window }));
  }

  /** The message that the page posts to the outer page; never resolves when it does not reply. */
  post(data: unknown, origin: string): Promise<{ answer: FrameAnswer; targetOrigin: string }> {
    return new Promise((resolve) => {
      const postMessage = (message: string, targetOrigin: string): void => {
        resolve({ answer: JSON.parse(message), targetOrigin });
      };
      this.listen?.({ data, origin, source: { postMessage } });
    });
  }

  /** A request as the vendor's sample client sends it. */
  async request(wanted: object, origin = 'https://app.example.test'): Promise<FrameAnswer> {
    return (await this.post(JSON.stringify({ messageId: '7', ...wanted }), origin)).answer;
  }
}

function requestsFrom(base: string): new () => FrameRequest {
  return class implements FrameRequest {
    onloadend: (() => void) | null = null;
    timeout = 0;
    status = 0;
    responseText = '';
    private method = '';
    private url = '';
    private readonly headers: Record<string, string> = { referer: `${base}/xframe` };
    private answered = '';

    open(method: string, url: string): void {
      this.url = new URL(url, base).href;
      this.method = method;
      // As browsers do on requests that may change something.
      if (method !== 'GET' && method !== 'HEAD') this.headers['origin'] = PUBLIC_ORIGIN;
    }

    setRequestHeader(name: string, value: string): void {
      this.headers[name] = value;
    }

    getAllResponseHeaders(): string {
      return this.answered;
    }

    send(body: string | null): void {
      const sent = request(this.url, { method: this.method, headers: this.headers }, (response) => {
        this.status = response.statusCode ?? 0;
        const lines = Object.entries(response.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
        this.answered = lines.toSorted().join('');
        response.setEncoding('utf8').on('data', (part: string) => (this.responseText += part));
        response.on('end', () => this.onloadend?.());
      });
      sent.on('error', () => this.onloadend?.());
      sent.end(body ?? undefined);
    }
  };
}
