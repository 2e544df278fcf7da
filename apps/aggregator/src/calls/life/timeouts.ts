/**
 * How long to wait for something, in milliseconds of our own clock. Senders do not resend, so only time shows that a
 * record was lost (docs/records.md, "Time-outs").
 */
export interface CallTimeouts {
  /** No record arrived for a call in progress: its end was lost. */
  readonly call: number;
  /** No record followed an invitation. */
  readonly invite: number;
  /** After the end of a call: how long quality reports are expected, and how long an end may follow a final report. */
  readonly ended: number;
  /** After the first quality report of an ended call: how long the second one is expected. */
  readonly qoe: number;
}

/** The time-outs of the last release of the feed's own manager (diagnostics-feed.md, 4.4). */
export const defaultTimeouts: CallTimeouts = {
  call: 86_400_000,
  invite: 180_000,
  ended: 15_000,
  qoe: 5_000,
};
