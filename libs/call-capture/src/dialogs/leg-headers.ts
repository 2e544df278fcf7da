import { fitText } from '@ringdown/xml-schemas';
import type { SipHeaders } from '../sip/sip-headers.js';

/** A header that joins the legs of a call, as some back-to-back user agents, proxies and phones write it. */
export interface LegHeader {
  /** In lower case. */
  readonly name: string;
  /** The id is between these texts; both are empty if it is the whole value up to the first semicolon. */
  readonly before: string;
  readonly after: string;
}

/** RFC 7989, and what some vendors and proxies use. */
export const DEFAULT_LEG_HEADERS: readonly LegHeader[] = [
  { name: 'ms-conversation-id', before: '', after: '' },
  { name: 'x-cid', before: '', after: '' },
  { name: 'x-call-id', before: '', after: '' },
  { name: 'session-id', before: '', after: '' },
];

/** `X-CID`, or `X-Trace:call=*;` for the text at the `*`. Undefined if it is neither. */
export function parseLegHeader(text: string): LegHeader | undefined {
  const [name = '', ...rest] = text.split(':');
  if (!/^[\w!%'*+.`~-]{1,64}$/.test(name)) return undefined;
  const [before = '', after = '', ...more] = rest.join(':').split('*');
  if (more.length > 0 || (rest.length > 0 && !text.includes('*', name.length))) return undefined;
  return { name: name.toLowerCase(), before, after };
}

/** The id in the header; undefined if it has none. */
export function legIdIn(headers: SipHeaders, { name, before, after }: LegHeader): string | undefined {
  const value = headers.first(name);
  if (value === undefined) return undefined;
  const found = before === '' && after === '' ? value.split(';', 1)[0] : between(value, before, after);
  const id = fitText(found?.trim() ?? '', 'identifier') ?? '';
  // RFC 7989 writes zeros while the id is not known.
  return /[^0]/.test(id) ? id : undefined;
}

function between(value: string, before: string, after: string): string | undefined {
  const at = value.indexOf(before);
  if (at === -1) return undefined;
  const from = at + before.length;
  if (after === '') return value.slice(from);
  const end = value.indexOf(after, from);
  return end === -1 ? undefined : value.slice(from, end);
}
