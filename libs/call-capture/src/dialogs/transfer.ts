import { fitText, withoutAbsent, type StreamEvent } from '@ringdown/xml-schemas';
import { readAddresses } from '../sip/sip-addresses.js';
import type { SipMessage } from '../sip/sip-message.js';

/** What an INVITE names of the transfer that led to it (RFC 3891, RFC 3892). */
export type Transfer = Pick<StreamEvent, 'referredBy' | 'replaces'>;

export function transferOf({ headers }: SipMessage): Transfer {
  const replaces = headers.first('replaces');
  return withoutAbsent({
    referredBy: readAddresses(headers, 'referred-by')[0],
    replaces: replaces === undefined ? undefined : fitText(replaces, 'address'),
  });
}
