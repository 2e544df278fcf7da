/**
 * How long something is waited for, in milliseconds of our own clock. Senders resend nothing, so what got lost is known
 * by nothing but time (`spec.md`, "Call (diagnostics feed)").
 */
export interface CallTimeouts {
  /** Nothing was heard of a call that is going on: its end got lost. */
  readonly call: number;
  /** An invitation was not followed by anything. */
  readonly invite: number;
  /** A call has ended: until then quality reports are expected, and until then an end may follow a final report. */
  readonly ended: number;
  /** The first quality report of an ended call is there: until then the second one is expected. */
  readonly qoe: number;
}

/** Those of the last release of the feed's own manager (diagnostics-feed.md, 4.4). */
export const defaultTimeouts: CallTimeouts = {
  call: 86_400_000,
  invite: 180_000,
  ended: 15_000,
  qoe: 5_000,
};
