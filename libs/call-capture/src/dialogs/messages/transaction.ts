import type { SipMessage } from '../../sip/sip-message.js';

/** Identifies a request and its responses within one call, at all hops. `as`: an ACK belongs to its INVITE. */
export function sipTransaction({ from, cseq, method }: SipMessage, as = method): string {
  return transactionKey(as, cseq, from.tag);
}

export function transactionKey(method: string, cseq: number, fromTag = ''): string {
  return `${method} ${cseq} ${fromTag}`;
}

/** Password required, moved, interval too small: the call is retried with a higher CSeq (RFC 3261, 8.1.3; RFC 4028). */
export function isRetried(status: number): boolean {
  return status < 400 || status === 401 || status === 407 || status === 422;
}
