/** Index entries of the database have a limit; nothing real comes near this. */
const MAX_KEY = 255;

/** CallIds compare without regard to case (diagnostics-feed.md, 3.5). */
export function callKey(callId: string): string {
  return callId.toLowerCase();
}

/** Front ends are host names. */
export function frontEndKey(name: string): string {
  return short(name.trim().toLowerCase());
}

/**
 * What a person is searched by: `user@domain` of a SIP URI, without scheme and parameters. The address of a
 * conference is made of its organiser's with parameters behind it, so that one keeps them.
 */
export function partyKey(uri: string): string {
  const address = uriKey(uri);
  return short(/;opaque=app:/.test(address) ? address : address.replace(/[;?].*$/s, ''));
}

/** Compares URIs of endpoints: without scheme and case, with parameters. */
export function uriKey(uri: string): string {
  return uri
    .trim()
    .toLowerCase()
    .replace(/^(?:sips?|tel):/, '');
}

/** Of a conversation, a conference or a correlation; the first is told by upper and lower case. */
export function linkKey(id: string): string {
  return short(id);
}

function short(key: string): string {
  return key.length > MAX_KEY ? key.slice(0, MAX_KEY).toWellFormed() : key;
}
