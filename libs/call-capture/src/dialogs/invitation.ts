import type { ErrorEvent } from '@ringdown/xml-schemas';
import { keptText } from '../collections/kept.js';
import type { SipHeaders } from '../sip/sip-headers.js';
import type { SipMessage } from '../sip/sip-message.js';

/** The caller's INVITE transaction: only its final response reaches the caller. */
export class Invitation {
  /** A rejection after which callers retry, with a password or at another address; held back until it is final. */
  rejection: ErrorEvent | undefined;
  readonly cseq: number;
  private readonly branch: string;
  private cancelledBy: SipHeaders | undefined;

  /** `message`: the INVITE, or a response to it; undefined if none was captured. Only what is needed of it is kept. */
  constructor(message?: SipMessage) {
    this.cseq = message?.cseq ?? -1;
    this.branch = keptText(message?.branch ?? '');
  }

  /** The headers of the caller's CANCEL. */
  get cancelled(): SipHeaders | undefined {
    return this.cancelledBy;
  }

  includes(message: SipMessage): boolean {
    return message.branch === this.branch;
  }

  /** A proxy cancels the other devices of a forked call with transactions of its own (RFC 3261, 9.1). */
  onCancel(message: SipMessage): void {
    if (this.includes(message)) this.cancelledBy ??= message.headers;
  }
}
