import { customaryHeaders, spelledHeader } from '@ringdown/web-server';
import type { WebNames } from '@ringdown/vendor-profile';
import { createHash } from 'node:crypto';
import { relayRequests } from './relay-requests.js';

export interface CrossFramePage {
  readonly html: string;
  /** Value of `Content-Security-Policy`: only this script and requests to our origin; every page may frame it. */
  readonly policy: string;
}

/** The page that relays the requests of pages of other origins (web-interface.md, section 1). */
export function crossFramePage(web: WebNames): CrossFramePage {
  const script = pageScript(web);
  const digest = createHash('sha256').update(script).digest('base64');
  return {
    html: `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Requests</title></head><body><script>${script}</script></body></html>\n`,
    policy: `default-src 'none'; script-src 'sha256-${digest}'; connect-src 'self'`,
  };
}

/** Both functions use only their arguments, so their source text works in the browser. */
function pageScript(web: WebNames): string {
  const prefix = JSON.stringify(web.headerPrefix);
  const originHeader = JSON.stringify(`${web.headerPrefix}Origin`.toLowerCase());
  const customary = JSON.stringify(customaryHeaders(web));
  const spelled = `(name) => (${spelledHeader.toString()})(name, ${prefix}, ${customary})`;
  const script = `(${relayRequests.toString()})(window, ${originHeader}, ${spelled});`;
  // Names in a profile from a file must not close the script element.
  return script.replaceAll('</', '<\\/');
}
