import type { RecordEvent } from '@ringdown/xml-schemas/record';
import { keptText } from '../collections/kept.js';
import type { SipHeaders } from '../sip/sip-headers.js';
import type { SipMessage } from '../sip/sip-message.js';
import { keptHop, type MessageHop } from './messages/message-hop.js';
import { isCalleesRejection, isOwnFailure, REQUEST_TERMINATED } from './outcome.js';
import { isCompletedElsewhere } from './reason.js';

/** The end of an invitation that may still turn out otherwise. */
export interface HeldEnd {
  readonly event: RecordEvent;
  /** When it was captured. */
  readonly at: number;
  /** A rejection after which callers retry, with a password or at another address; or a CANCEL or a BYE, before its 487. */
  readonly awaits: 'retry' | 'final response';
  /** Of a BYE that follows from another message. */
  readonly isAssumed?: boolean;
}

/** Hops, and devices. */
const LIMIT = 32;
/** Of the clocks of two capture points. */
const AT_ONCE_MS = 500;

/** The caller's INVITE transaction: only its final response reaches the caller. */
export class Invitation {
  /** Held back until it is final. */
  held: HeldEnd | undefined;
  readonly cseq: number;
  /** Only responses to it were captured: perhaps not those that reach the caller. */
  readonly isAssumed: boolean;
  hop: MessageHop | undefined;
  private branch: string;
  /** Of its copies at later hops. */
  private copies: readonly string[] = [];
  /** Tags of the devices that have rejected it. */
  private rejectedBy: readonly string[] = [];
  private callersCancel: SipHeaders | undefined;
  private proxysCancel: SipHeaders | undefined;
  /** The device of an early dialog that the caller has ended. */
  private endedWith: string | undefined;

  /** `message`: the INVITE, or a response to it; undefined if none was captured. Only what is needed of it is kept. `hop`: of the INVITE. */
  constructor(message?: SipMessage, hop?: MessageHop) {
    this.hop = hop && keptHop(hop);
    this.cseq = message?.cseq ?? -1;
    this.isAssumed = message?.response !== undefined;
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

  copied({ branch }: Pick<SipMessage, 'branch'>): void {
    const { length } = this.copies;
    if (length < LIMIT && !this.copies.includes(branch)) this.copies = [...this.copies, keptText(branch)];
  }

  /** It was captured nearer to the caller: so far it was a copy. */
  follow(message: SipMessage, hop: MessageHop): void {
    const { branch } = this;
    this.copies = this.copies.filter((copy) => copy !== message.branch);
    this.branch = keptText(message.branch);
    this.hop = keptHop(hop);
    this.copied({ branch });
  }

  /** Whether this is the time of the INVITE, with clocks that differ a little. */
  isAtOnce(at: number): boolean {
    return this.hop !== undefined && Math.abs(at - this.hop.capturedAt) <= AT_ONCE_MS;
  }

  /** A final response other than 2xx, at any hop. */
  rejected({ to: { tag } }: SipMessage): void {
    if (tag === undefined || this.rejectedBy.length >= LIMIT || this.rejectedBy.includes(tag)) return;
    this.rejectedBy = [...this.rejectedBy, keptText(tag)];
  }

  /** Whether an ACK is that of an answer: of a rejection it has the branch of the INVITE (RFC 3261, 17.1.1.3). */
  isAnsweredBy({ cseq, branch, to: { tag } }: SipMessage): boolean {
    if (cseq !== this.cseq || tag === undefined || this.branch === '') return false;
    return branch !== this.branch && !this.copies.includes(branch) && !this.rejectedBy.includes(tag);
  }

  /**
   * A BYE of the caller before an answer was captured. In an early dialog it does what a CANCEL does, and the INVITE gets a 487 (RFC 3261, 15);
   * without that, only the answer was not captured.
   */
  onBye({ headers, to: { tag } }: SipMessage, held: Omit<HeldEnd, 'awaits'>): void {
    this.callersCancel ??= headers;
    this.endedWith ??= tag === undefined ? undefined : keptText(tag);
    this.held ??= { ...held, awaits: 'final response' };
  }

  /** Whether the caller has ended the dialog with this device already. */
  isEndedWith(tag: string): boolean {
    return tag === this.endedWith;
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
