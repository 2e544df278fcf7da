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
 * The key for finding a person: `user@domain` of a SIP URI, without scheme and parameters. The address of a conference
 * consists of its organiser's address and parameters, so it keeps the parameters.
 */
export function partyKey(uri: string): string {
  const address = uriKey(uri);
  return short(/;opaque=app:/.test(address) ? address : address.replace(/[;?].*$/s, ''));
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
