import { keptText } from '../collections/kept.js';
import { separated } from '../sip/separated.js';
import type { SipHeaders } from '../sip/sip-headers.js';
import type { SipMessage } from '../sip/sip-message.js';

/** More than a header has: the scheme with its first parameter counts as one. */
const PARAMETER_LIMIT = 32;

const REALM_LIMIT = 256;
/** A request answers one challenge of its server and one of each proxy on its way. */
const ANSWER_LIMIT = 8;

/** The realms whose challenges a request answers: of a registrar or server (401), and of a proxy (407). Empty: it names none. */
export interface Credentials {
  readonly server: readonly string[];
  readonly proxy: readonly string[];
}

export function credentialsIn(headers: SipHeaders): Credentials {
  return {
    server: answeredRealms(headers.all('authorization')),
    proxy: answeredRealms(headers.all('proxy-authorization')),
  };
}

function answeredRealms(credentials: readonly string[]): readonly string[] {
  return credentials.filter(isAnswer).slice(0, ANSWER_LIMIT).map(keptRealm);
}

/**
 * Whether a response only asks for credentials, or for others: of another realm, as each proxy on the way has its own (RFC 3261,
 * 22.3), or because the nonce is too old (`stale`, RFC 7616, 3.3), and the password may be right.
 */
export function isChallenge({ response, headers }: SipMessage, credentials: Credentials): boolean {
  if (response?.status === 401) return asksFor(headers.all('www-authenticate'), credentials.server);
  if (response?.status === 407) return asksFor(headers.all('proxy-authenticate'), credentials.proxy);
  return false;
}

function asksFor(challenges: readonly string[], answered: readonly string[]): boolean {
  if (answered.length === 0 || isStale(challenges)) return true;
  const asked = challenges.map(realmOf);
  // Some write none.
  const isRejected = asked.length === 0 || asked.some((realm) => [...answered, ''].includes(realm));
  return !isRejected && !answered.includes('');
}

function realmOf(header: string): string {
  return (parameter(header, 'realm') ?? '').slice(0, REALM_LIMIT);
}

function keptRealm(header: string): string {
  return keptText(realmOf(header));
}

/**
 * The first REGISTER of an IMS client has an empty nonce and response (3GPP TS 24.229, 5.1.1.2), of some clients none of both,
 * and one with `auts` asks for another challenge (RFC 3310, 3.4): neither is an answer.
 */
function isAnswer(header: string): boolean {
  const given = [parameter(header, 'nonce'), parameter(header, 'response')];
  const isNone = /^\s*Digest\b/i.test(header) && given.every((value) => value === undefined);
  return !given.includes('') && !isNone && parameter(header, 'auts') === undefined;
}

function isStale(challenges: readonly string[]): boolean {
  return challenges.some((challenge) => parameter(challenge, 'stale')?.toLowerCase() === 'true');
}

/** `Digest realm="a, b", nonce=""`: the value of a parameter without its quotes. */
function parameter(header: string, name: string): string | undefined {
  for (const part of separated(header, PARAMETER_LIMIT)) {
    const [, key, value = ''] = /^\s*(?:[\w-]+\s+)?([\w-]+)\s*=\s*(.*)$/s.exec(part) ?? [];
    if (key?.toLowerCase() === name) return value.trim().replaceAll(/^"|"$/g, '');
  }
  return undefined;
}
