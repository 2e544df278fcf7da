/** Index entries of the database have a limit; no real value comes near it. */
const MAX_KEY = 255;

/** CallIds are compared case-insensitively (diagnostics-feed.md, 3.5). */
export function callKey(callId: string): string {
  return callId.toLowerCase();
}

/** Front ends are host names. */
export function frontEndKey(name: string): string {
  return short(name.trim().toLowerCase());
}

/**
 * The key for finding a person: `user@domain` of a SIP URI, without scheme, port and parameters. The address of a conference
 * consists of its organiser's address and parameters, so it keeps the parameters.
 */
export function partyKey(uri: string): string {
  const address = uriKey(uri);
  return short(/;opaque=app:/.test(address) ? address : withoutPort(address.replace(/[;?].*$/s, '')));
}

/** The last group of an IPv6 address without brackets is not a port. */
function withoutPort(address: string): string {
  const colon = address.lastIndexOf(':');
  const host = address.slice(address.lastIndexOf('@', colon) + 1, colon);
  const hasPort = address.lastIndexOf('@') < colon && /^\d{1,5}$/.test(address.slice(colon + 1));
  return hasPort && (!host.includes(':') || host.endsWith(']')) ? address.slice(0, colon) : address;
}

/** For comparing URIs of endpoints: without scheme and case, with parameters. */
export function uriKey(uri: string): string {
  return uri
    .trim()
    .toLowerCase()
    .replace(/^(?:sips?|tel):/, '');
}

/** Key of a conversation, a conference or a correlation; conversation ids are case-sensitive. */
export function linkKey(id: string): string {
  return short(id);
}

function short(key: string): string {
  return key.length > MAX_KEY ? key.slice(0, MAX_KEY).toWellFormed() : key;
}
