import { separated } from '../sip/separated.js';
import type { SipHeaders } from '../sip/sip-headers.js';
import type { SipMessage } from '../sip/sip-message.js';

/** More than a header has: the scheme with its first parameter counts as one. */
const PARAMETER_LIMIT = 32;

/** What a request answers of a challenge: to a registrar or server (401), and to a proxy (407). */
export interface Credentials {
  readonly server: boolean;
  readonly proxy: boolean;
}

export function credentialsIn(headers: SipHeaders): Credentials {
  return {
    server: headers.all('authorization').some(isAnswer),
    proxy: headers.all('proxy-authorization').some(isAnswer),
  };
}

/**
 * Whether a response only asks for credentials, or for others because of their age: the nonce is too old (`stale`, RFC 7616,
 * 3.3), and the password may be right.
 */
export function isChallenge({ response, headers }: SipMessage, credentials: Credentials): boolean {
  if (response?.status === 401) return !credentials.server || isStale(headers.all('www-authenticate'));
  if (response?.status === 407) return !credentials.proxy || isStale(headers.all('proxy-authenticate'));
  return false;
}

/**
 * The first REGISTER of an IMS client has an empty nonce and response (3GPP TS 24.229, 5.1.1.2), and one with `auts` asks for
 * another challenge (RFC 3310, 3.4): neither is an answer.
 */
function isAnswer(header: string): boolean {
  const isEmpty = parameter(header, 'nonce') === '' || parameter(header, 'response') === '';
  return !isEmpty && parameter(header, 'auts') === undefined;
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
