import { isIPv6 } from 'node:net';
import type { NameAddress } from './sip-message.js';

const TAG = /;\s*tag\s*=\s*([^\s;,"<>]+)/i;
const TAGS_LENGTH = 2_000;
const TAGS_LIMIT = 8;

/** `"Name" <sip:user@host;p=1>;tag=x` or `sip:user@host;tag=x` (RFC 3261, 20.10). Undefined if there is no URI. Both may have any length. */
export function readNameAddress(text: string): NameAddress | undefined {
  const { uri, rest } = split(text);
  if (uri === '') return undefined;
  const [tag, ...otherTags] = tagsIn(rest);
  if (tag === undefined) return { uri };
  return otherTags.length === 0 ? { uri, tag } : { uri, tag, otherTags };
}

/** Some proxies that hide forking add a second one. */
function tagsIn(parameters: string): readonly string[] {
  const first = TAG.exec(parameters);
  if (!first?.[1]) return [];
  const rest = parameters.slice(first.index + first[0].length, TAGS_LENGTH);
  return [first[1], ...rest.split(';', TAGS_LIMIT).flatMap((parameter) => TAG.exec(`;${parameter}`)?.[1] ?? [])];
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
 * From or To as far as it can be read: devices leave quotes and brackets open, or write a user without a host. `text` of
 * bounded length. The URI is empty if there is none, because a tag alone identifies a dialog.
 */
export function readDamagedAddress(text: string): NameAddress {
  const tagAt = text.search(/;\s*tag\s*=/i);
  const tag = tagAt === -1 ? undefined : /^;\s*tag\s*=\s*([^\s;,"<>]+)/i.exec(text.slice(tagAt))?.[1];
  const named = tagAt === -1 ? text : text.slice(0, tagAt);
  const scheme = /(?<![\w+.-])(?:sips?|tel):/i.exec(named);
  const words = named.slice(scheme?.index ?? 0).split(/[\s<>"]+/, 16);
  const uri = scheme ? (words[0] ?? '') : words.findLast((word) => /^[^@;,]+@[^@;,]+/.test(word));
  const found = uri === undefined ? '' : scheme ? uri : `sip:${uri}`;
  return tag === undefined ? { uri: found } : { uri: found, tag };
}

/**
 * The address of record of a URI: `sip:alice@example.test:5070`, without parameters, password and headers; the host in
 * lower case. With another port it is another address (RFC 3261, 19.1.4). `sips:` names the same user as `sip:`.
 * Telephone numbers have no parameters either.
 */
export function addressOfRecord(uri: string): string {
  const scheme = /^([a-z][\w+.-]*):/i.exec(uri)?.[1]?.toLowerCase();
  if (scheme === undefined) return uri;
  const [rest = ''] = uri.slice(scheme.length + 1).split(/[?>]/, 1);
  if (scheme !== 'sip' && scheme !== 'sips') return `${scheme}:${rest.split(';', 1)[0]}`;
  const at = rest.lastIndexOf('@');
  const [user = ''] = rest.slice(0, Math.max(0, at)).split(/[:;]/, 1);
  const host = hostAndPort(rest.slice(at + 1).split(';', 1)[0] ?? '');
  return user === '' ? `sip:${host}` : `sip:${user}@${host}`;
}

/** An IPv6 address without brackets has no port: what looks like one is its last group. */
function hostAndPort(written: string): string {
  const host = written.trim().toLowerCase();
  // The check for IPv6 costs more than reading the address.
  return host.includes(':') && isIPv6(host) ? `[${host}]` : host;
}
