import type { NameAddress } from './sip-message.js';

/** `"Name" <sip:user@host;p=1>;tag=x` or `sip:user@host;tag=x` (RFC 3261, 20.10). Undefined if there is no URI. Both may have any length. */
export function readNameAddress(text: string): NameAddress | undefined {
  const { uri, rest } = split(text);
  if (uri === '') return undefined;
  const tag = /;\s*tag\s*=\s*([^\s;,"<>]+)/i.exec(rest)?.[1];
  return tag === undefined ? { uri } : { uri, tag };
}

/** Without brackets, everything after a semicolon belongs to the header and not to the URI. */
function split(text: string): { uri: string; rest: string } {
  const open = openingBracket(text);
  if (open === -1) {
    const end = text.search(/[;?]/);
    const uri = (end === -1 ? text : text.slice(0, end)).trim();
    return { uri: /^[a-z][\w+.-]*:\S+$/i.test(uri) ? uri : '', rest: end === -1 ? '' : text.slice(end) };
  }
  const close = text.indexOf('>', open);
  if (close === -1) return { uri: '', rest: '' };
  return { uri: text.slice(open + 1, close).trim(), rest: text.slice(close + 1) };
}

/** A display name in quotes may contain brackets, and quotes escaped by a backslash. */
function openingBracket(text: string): number {
  if (!text.includes('"')) return text.indexOf('<');
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (quoted && char === '\\') at++;
    else if (char === '"') quoted = !quoted;
    else if (char === '<' && !quoted) return at;
  }
  return -1;
}

/**
 * The address of record of a URI: `sip:alice@example.test`, without port, parameters, password and headers; the
 * host in lower case. `sips:` names the same user as `sip:`. Telephone numbers have no parameters either.
 */
export function addressOfRecord(uri: string): string {
  const scheme = /^([a-z][\w+.-]*):/i.exec(uri)?.[1]?.toLowerCase();
  if (scheme === undefined) return uri;
  const [rest = ''] = uri.slice(scheme.length + 1).split(/[?>]/, 1);
  if (scheme !== 'sip' && scheme !== 'sips') return `${scheme}:${rest.split(';', 1)[0]}`;
  const at = rest.lastIndexOf('@');
  const [user = ''] = rest.slice(0, Math.max(0, at)).split(/[:;]/, 1);
  const host = rest.slice(at + 1).split(';', 1)[0] ?? '';
  const hostEnd = host.startsWith('[') ? host.indexOf(']') + 1 : host.indexOf(':');
  const name = (hostEnd > 0 ? host.slice(0, hostEnd) : host).toLowerCase();
  return user === '' ? `sip:${name}` : `sip:${user}@${name}`;
}
