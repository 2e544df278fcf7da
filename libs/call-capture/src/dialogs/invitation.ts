import type { ErrorEvent } from '@ringdown/xml-schemas';
import { keptText } from '../collections/kept.js';
import type { SipHeaders } from '../sip/sip-headers.js';
import type { SipMessage } from '../sip/sip-message.js';
import { isCalleesRejection, isOwnFailure, REQUEST_TERMINATED } from './outcome.js';
import { isCompletedElsewhere } from './reason.js';

/** The end of an invitation that may still turn out otherwise. */
export interface HeldEnd {
  readonly event: ErrorEvent;
  /** When it was captured. */
  readonly at: number;
  /** A rejection after which callers retry, with a password or at another address; or a CANCEL, before its 487. */
  readonly awaits: 'retry' | 'final response';
}

/** The caller's INVITE transaction: only its final response reaches the caller. */
export class Invitation {
  /** Held back until it is final. */
  held: HeldEnd | undefined;
  readonly cseq: number;
  private readonly branch: string;
  private callersCancel: SipHeaders | undefined;
  private proxysCancel: SipHeaders | undefined;

  /** `message`: the INVITE, or a response to it; undefined if none was captured. Only what is needed of it is kept. */
  constructor(message?: SipMessage) {
    this.cseq = message?.cseq ?? -1;
    this.branch = keptText(message?.branch ?? '');
  }

  /** The headers of the CANCEL: the caller's, or as a proxy forwarded it. */
  get cancelled(): SipHeaders | undefined {
    return this.callersCancel ?? this.proxysCancel;
  }

  /**
   * Whether this final response to the caller is the result of its CANCEL, which some answer with another status than 487. A
   * callee that rejects the call is not. A proxy that gives up by itself writes why (RFC 3261, 16.8), and so does one whose
   * caller talks to another phone.
   */
  isCancelledByCaller(status: number): boolean {
    if (isCompletedElsewhere(this.cancelled)) return false;
    if (this.callersCancel) return !isCalleesRejection(status);
    return status === REQUEST_TERMINATED && this.proxysCancel !== undefined && !isOwnFailure(this.proxysCancel);
  }

  includes(message: SipMessage): boolean {
    return message.branch === this.branch;
  }

  /** A proxy cancels the devices with transactions of its own (RFC 3261, 9.1). Returns whether this is the caller's. */
  onCancel(message: SipMessage): boolean {
    if (message.cseq !== this.cseq) return false;
    const isCallers = this.includes(message);
    if (isCallers) this.callersCancel ??= message.headers;
    else this.proxysCancel ??= message.headers;
    return isCallers;
  }
}
