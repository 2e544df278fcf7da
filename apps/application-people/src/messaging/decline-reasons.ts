/** A client that declines with `Local` declines only for itself; another client of the same person may still accept. */
export type DeclineScope = 'Local' | 'Global';

/** How an invitation is declined, and why the caller is told that it was: a subcode of `RemoteFailure`. */
export interface Decline {
  readonly scope: DeclineScope;
  readonly subcode: string;
}

/** Also without a reason. */
export const BY_THE_PERSON: Decline = { scope: 'Global', subcode: 'Declined' };
/** Media, bandwidth or addresses do not suit this client (RFC 3261, section 21.4.26); another one may be able to accept. */
const NOT_ON_THIS_CLIENT: Decline = { scope: 'Local', subcode: 'NotAcceptable' };

/**
 * The reasons of a client: those of the vendor's enumeration `CallDeclineReason`
 * (https://learn.microsoft.com/en-us/skype-sdk/ucwa/calldeclinereason_ref), and the failures that a callee can name
 * itself (web-interface.md, section 8, "Failure reasons").
 */
const REASONS: Readonly<Record<string, Decline>> = {
  Unknown: BY_THE_PERSON,
  Global: BY_THE_PERSON,
  Local: { scope: 'Local', subcode: 'Declined' },
  MediaAllocationFailure: NOT_ON_THIS_CLIENT,
  EncryptionMismatch: NOT_ON_THIS_CLIENT,
  IPv6NotSupported: NOT_ON_THIS_CLIENT,
  MediaConnectivityFailure: NOT_ON_THIS_CLIENT,
  CodecMismatch: NOT_ON_THIS_CLIENT,
  UnsupportedMedia: { scope: 'Local', subcode: 'UnsupportedMediaType' },
  InvalidMediaOffer: NOT_ON_THIS_CLIENT,
  InsufficientBandwidth: NOT_ON_THIS_CLIENT,
  InsufficientBandwidthRerouteOverPstn: NOT_ON_THIS_CLIENT,
  ...Object.fromEntries(
    [
      'Busy',
      'Declined',
      'DoNotDisturb',
      'NotAcceptable',
      'NotAllowed',
      'RepliedWithOtherModality',
      'TemporarilyUnavailable',
      'Timeout',
    ].map((subcode) => [subcode, { scope: 'Global', subcode } as const]),
  ),
  UnsupportedMediaType: { scope: 'Local', subcode: 'UnsupportedMediaType' },
};

export const DECLINE_REASONS = Object.keys(REASONS);

const BY_LOWER_CASE = new Map(Object.entries(REASONS).map(([name, decline]) => [name.toLowerCase(), decline]));

/** What the reason means, in any case; undefined for an unknown one. */
export function declineFor(reason: string): Decline | undefined {
  return BY_LOWER_CASE.get(reason.toLowerCase());
}
