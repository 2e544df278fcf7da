import type { SipHeaders } from '../sip/sip-headers.js';
import type { SipMessage } from '../sip/sip-message.js';

/** What a request offers of the terms that its server may ask for. */
export interface Terms {
  /** It has agreed on the security of the connection (RFC 3329, 2.3.1). */
  readonly isVerified: boolean;
  /** Seconds, the most that it asks for; undefined if it leaves that to the server. */
  readonly expires: number | undefined;
}

const CONTACT_LIMIT = 16;

export function termsIn(headers: SipHeaders): Terms {
  const ofContacts = headers.all('contact').slice(0, CONTACT_LIMIT).flatMap(expiresOf);
  const asked = [...ofContacts, ...seconds(headers.first('expires'))];
  return {
    isVerified: headers.first('security-verify') !== undefined,
    expires: asked.length === 0 ? undefined : Math.max(...asked),
  };
}

/**
 * Whether a response only asks for other terms, with which the client tries again: a longer time (423 with Min-Expires, RFC 3261,
 * 10.2.8; RFC 6665, 4.2.1), or an agreement on security (494 with Security-Server, RFC 3329, 2.3.1).
 */
export function asksForTerms({ response, headers }: SipMessage, { isVerified, expires }: Terms): boolean {
  if (response?.status === 494) return !isVerified && headers.first('security-server') !== undefined;
  if (response?.status !== 423) return false;
  const [least] = seconds(headers.first('min-expires'));
  return least !== undefined && (expires === undefined || expires < least);
}

function expiresOf(contact: string): readonly number[] {
  return contact.split(/[;,]/).flatMap((parameter) => {
    const [name = '', value] = parameter.split('=', 2);
    return name.trim().toLowerCase() === 'expires' ? seconds(value) : [];
  });
}

function seconds(text: string | undefined): readonly number[] {
  const digits = text?.trim().replaceAll('"', '') ?? '';
  return /^\d{1,10}$/.test(digits) ? [Number(digits)] : [];
}
