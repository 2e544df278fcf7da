import type { SipHeaders } from './sip-headers.js';

/** A SIP request or response (RFC 3261), as far as it matters for calls. */
export interface SipMessage {
  /** Of a response: the method of its request, from CSeq. */
  readonly method: string;
  /** The Request-URI, as written; only in requests, and only if it is not too long. */
  readonly target?: string;
  /** Only in responses. */
  readonly response?: { readonly status: number; readonly phrase: string };
  readonly callId: string;
  /** Number of CSeq. */
  readonly cseq: number;
  readonly from: NameAddress;
  readonly to: NameAddress;
  /**
   * Of the topmost Via, which identifies the hop and its transaction: a response carries it back to that hop. Before
   * RFC 3261 hops had no branch; then it is the hop itself.
   */
  readonly branch: string;
  readonly headers: SipHeaders;
  readonly body: string;
}

/** The content of From, To and Contact. */
export interface NameAddress {
  /** As written, with parameters. */
  readonly uri: string;
  readonly tag?: string;
  /** More tags of the header, which must not be there. */
  readonly otherTags?: readonly string[];
}
