import { fitText, withoutAbsent, type Endpoint } from '@ringdown/xml-schemas';
import { addressOfRecord, readNameAddress } from '../sip/name-address.js';
import { header, type NameAddress, type SipMessage } from '../sip/sip-message.js';

/** Who sends a request. */
export function requester(message: SipMessage): Endpoint {
  return withoutAbsent({ ...named(message.from), ...device(message), userAgent: softwareOf(message, 'user-agent') });
}

/** Who answers one. */
export function answerer(message: SipMessage): Endpoint {
  const userAgent = softwareOf(message, 'server') ?? softwareOf(message, 'user-agent');
  return withoutAbsent({ ...named(message.to), ...device(message), userAgent });
}

/** What every message says of a party: its address and, once there is one, the tag of its device. */
export function named({ uri, tag }: NameAddress): Endpoint {
  return withoutAbsent({ id: tag, uri: addressOfRecord(uri) });
}

/** Of a party what 1.0, and errors and goodbyes of all versions, say of it. */
export function identity({ id, epId, uri }: Endpoint): Endpoint {
  return withoutAbsent({ id, epId, uri });
}

function device(message: SipMessage): Endpoint {
  const written = header(message.headers, 'contact') ?? '';
  return withoutAbsent({
    contact: addressIn(readNameAddress(written)?.uri),
    epId: endpointId(message, written),
    assertedIdentity: addressIn(header(message.headers, 'p-asserted-identity')),
  });
}

/** RFC 5626 names the device in Contact; some vendors put the id of device and sign-in beside the tag. */
function endpointId({ from, to, headers, response }: SipMessage, contact: string): string | undefined {
  const own = header(headers, response ? 'to' : 'from') ?? '';
  const tag = (response ? to : from).tag;
  const vendors = tag === undefined ? undefined : /;\s*epid=([\w-]{1,40})/i.exec(own)?.[1];
  return vendors ?? /;\s*\+sip\.instance\s*=\s*"?<urn:uuid:([\w-]{1,40})>/i.exec(contact)?.[1];
}

function softwareOf(message: SipMessage, name: string): string | undefined {
  const value = header(message.headers, name);
  return value === undefined || value === '' ? undefined : fitText(value, 'text');
}

/** A part of an address would be another one. */
function addressIn(written: string | undefined): string | undefined {
  return written === undefined || written === '' ? undefined : fitText(written, 'address');
}
