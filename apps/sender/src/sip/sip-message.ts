/** A SIP request or response (RFC 3261), as far as it tells of calls. */
export interface SipMessage {
  /** Of a response: the method of its request, from CSeq. */
  readonly method: string;
  /** Responses alone have one. */
  readonly response?: { readonly status: number; readonly phrase: string };
  readonly callId: string;
  /** Number of CSeq. */
  readonly cseq: number;
  readonly from: NameAddress;
  readonly to: NameAddress;
  /**
   * Of the topmost Via, which names the hop whose transaction this is: a response carries it back to that hop. Before
   * RFC 3261 hops had no branch; then it is the hop itself.
   */
  readonly branch: string;
  readonly headers: SipHeaders;
  readonly body: string;
}

/** By name in lower case and in its long form, in the order of the message. */
export type SipHeaders = ReadonlyMap<string, readonly string[]>;

/** What From, To and Contact hold. */
export interface NameAddress {
  /** As written, with parameters. */
  readonly uri: string;
  readonly tag?: string;
}

/** What was captured is no SIP message that could be used. The message says why, for the log. */
export class SipSyntaxError extends Error {
  override readonly name = 'SipSyntaxError';
}

export function header(headers: SipHeaders, name: string): string | undefined {
  return headers.get(name)?.[0];
}
