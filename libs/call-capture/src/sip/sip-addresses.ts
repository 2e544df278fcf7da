import { fitText } from '@ringdown/xml-schemas';
import { readNameAddress } from './name-address.js';
import type { SipHeaders } from './sip-headers.js';

const ADDRESS_LIMIT = 8;

/** The URIs of a header such as Contact, Refer-To and Referred-By, as written; not those that are too long. */
export function readAddresses(headers: SipHeaders, name: string): readonly string[] {
  const values = headers.all(name).slice(0, ADDRESS_LIMIT);
  return values.flatMap(separated).flatMap((value) => {
    const uri = readNameAddress(value)?.uri;
    return uri === undefined ? [] : (fitText(uri, 'address') ?? []);
  });
}

/** Commas separate addresses, except in display names and in brackets. */
function separated(text: string): readonly string[] {
  const found: string[] = [];
  let [from, quoted, bracketed] = [0, false, false];
  for (let at = 0; at < text.length && found.length < ADDRESS_LIMIT; at++) {
    const char = text[at];
    if (quoted && char === '\\') at++;
    else if (char === '"' && !bracketed) quoted = !quoted;
    else if (char === '<' && !quoted) bracketed = true;
    else if (char === '>' && !quoted) bracketed = false;
    else if (char === ',' && !quoted && !bracketed) {
      found.push(text.slice(from, at));
      from = at + 1;
    }
  }
  if (found.length < ADDRESS_LIMIT) found.push(text.slice(from));
  return found;
}
