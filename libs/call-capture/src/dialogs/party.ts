import { fitText } from '@ringdown/xml-schemas';
import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import type { Endpoint } from '@ringdown/xml-schemas/record';
import { addressOfRecord, readNameAddress } from '../sip/name-address.js';
import type { NameAddress, SipMessage } from '../sip/sip-message.js';

/** The endpoint that sent a request. */
export function requestSender(message: SipMessage): Endpoint {
  return withoutAbsent({
    ...partyEndpoint(message.from),
    ...device(message),
    userAgent: softwareOf(message, 'user-agent'),
  });
}

/** The endpoint that sent a response. */
export function responseSender(message: SipMessage): Endpoint {
  const userAgent = softwareOf(message, 'server') ?? softwareOf(message, 'user-agent');
  return withoutAbsent({ ...partyEndpoint(message.to), ...device(message), userAgent });
}

/** What every message contains of a party: its address and, if present, the tag of its device. */
export function partyEndpoint({ uri, tag }: NameAddress): Endpoint {
  return withoutAbsent({ id: tag, uri: uri === '' ? undefined : addressOfRecord(uri) });
}

/** The fields of a party in version 1.0, and in `Error` and `Bye` of all versions. */
export function identity({ id, epId, uri }: Endpoint): Endpoint {
  return withoutAbsent({ id, epId, uri });
}

function device(message: SipMessage): Endpoint {
  const written = message.headers.first('contact') ?? '';
  return withoutAbsent({
    contact: addressIn(readNameAddress(written)?.uri),
    epId: endpointId(message, written),
    assertedIdentity: addressIn(message.headers.first('p-asserted-identity')),
  });
}

/** RFC 5626 names the device in Contact; some vendors put its id beside the tag. */
function endpointId({ from, to, headers, response }: SipMessage, contact: string): string | undefined {
  const own = headers.first(response ? 'to' : 'from') ?? '';
  const tag = (response ? to : from).tag;
  const vendors = tag === undefined ? undefined : /;\s*epid=([\w-]{1,40})/i.exec(own)?.[1];
  return vendors ?? /;\s*\+sip\.instance\s*=\s*"?<urn:uuid:([\w-]{1,40})>/i.exec(contact)?.[1];
}

function softwareOf(message: SipMessage, name: string): string | undefined {
  const value = message.headers.first(name);
  return value === undefined || value === '' ? undefined : fitText(value, 'text');
}

/** Not truncated: a part of an address would be another address. */
function addressIn(written: string | undefined): string | undefined {
  return written === undefined || written === '' ? undefined : fitText(written, 'address');
}
