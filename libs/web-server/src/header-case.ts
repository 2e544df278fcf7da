import type { WebNames } from '@ringdown/vendor-profile';
import { ServerResponse, type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders } from 'node:http';

/** Names whose usual spelling is not one capital per word. */
const CUSTOMARY = ['WWW-Authenticate', 'ETag'];

/** The names of `web` and of HTTP that {@link spelledHeader} cannot derive from lower case. */
export function customaryHeaders(web: WebNames): readonly string[] {
  return [...CUSTOMARY, web.diagnosticsHeader, web.versionHeader];
}

/**
 * A header name in its usual spelling. HTTP ignores the case, but some clients search the head as text or look names up
 * with exact case (web-interface.md, section 2), and Node's web server writes all names in lower case.
 */
export function spelledHeader(name: string, prefix: string, customary: readonly string[]): string {
  const lower = name.toLowerCase();
  const cached = customary.find((each) => each.toLowerCase() === lower);
  if (cached !== undefined) return cached;
  const start = lower.startsWith(prefix.toLowerCase()) ? prefix : '';
  return start + lower.slice(start.length).replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

/** A response that spells its header names as {@link spelledHeader} does. */
export function spellingResponse(web: WebNames): typeof ServerResponse {
  const customary = customaryHeaders(web);
  const spelled = new Map<string, string>();
  const spell = (name: string): string => {
    const cached = spelled.get(name);
    if (cached !== undefined) return cached;
    const spelling = spelledHeader(name, web.headerPrefix, customary);
    spelled.set(name, spelling);
    return spelling;
  };

  return class SpellingResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    override setHeader(name: string, value: number | string | readonly string[]): this {
      return super.setHeader(spell(name), value);
    }

    override writeHead(status: number, ...args: readonly (string | Headers | undefined)[]): this {
      const headers = args.find((item) => typeof item === 'object');
      const reason = typeof args[0] === 'string' ? args[0] : undefined;
      for (const [name, value] of headerEntries(headers)) if (value !== undefined) this.setHeader(name, value);
      return reason === undefined ? super.writeHead(status) : super.writeHead(status, reason);
    }
  };
}

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

function headerEntries(headers: Headers | undefined): [string, OutgoingHttpHeader | undefined][] {
  if (headers === undefined) return [];
  if (!Array.isArray(headers)) return Object.entries(headers);
  return headers.flatMap((name, at) => (at % 2 === 0 ? [[String(name), headers[at + 1]]] : []));
}
