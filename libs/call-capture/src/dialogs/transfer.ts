import { fitText } from '@ringdown/xml-schemas';
import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import type { StreamEvent } from '@ringdown/xml-schemas/record';
import { readAddresses } from '../sip/sip-addresses.js';
import type { SipMessage } from '../sip/sip-message.js';

/** What an INVITE names of the transfer that led to it (RFC 3891, RFC 3892). */
export type Transfer = Pick<StreamEvent, 'referredBy' | 'replaces'>;

export function readTransfer({ headers }: SipMessage): Transfer {
  const replaces = headers.first('replaces');
  return withoutAbsent({
    referredBy: readAddresses(headers, 'referred-by')[0],
    replaces: replaces === undefined ? undefined : fitText(replaces, 'address'),
  });
}

/** The URI that a REFER asks to call; undefined if it asks for another request than INVITE (RFC 3515, 2.1). */
export function referTarget({ headers }: SipMessage): string | undefined {
  const [target] = readAddresses(headers, 'refer-to');
  const method = /;method=([\w-]{1,32})/i.exec(target ?? '')?.[1] ?? 'INVITE';
  return method.toUpperCase() === 'INVITE' ? target : undefined;
}
