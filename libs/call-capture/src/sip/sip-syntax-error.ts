/** A captured packet is not a usable SIP message. The message gives the reason for the log. */
export class SipSyntaxError extends Error {
  override readonly name = 'SipSyntaxError';
}
