import { fitText } from '@ringdown/xml-schemas';
import { readNameAddress } from './name-address.js';
import { separated } from './separated.js';
import type { SipHeaders } from './sip-headers.js';

const ADDRESS_LIMIT = 8;

/** The URIs of a header such as Contact, Refer-To and Referred-By, as written; not those that are too long. */
export function readAddresses(headers: SipHeaders, name: string): readonly string[] {
  const values = headers.all(name).slice(0, ADDRESS_LIMIT);
  return values
    .flatMap((value) => separated(value, ADDRESS_LIMIT))
    .flatMap((value) => {
      const uri = readNameAddress(value)?.uri;
      return uri === undefined ? [] : (fitText(uri, 'address') ?? []);
    });
}
