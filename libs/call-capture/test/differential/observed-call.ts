import type { Side } from './scripted-call.js';

/** What a reader of a capture says about one call; both readers are compared in this form. */
export interface ObservedCall {
  readonly caller: string;
  readonly callee: string;
  /** `answered`, the status of the rejection, or `open`. */
  readonly outcome: string;
  /** Milliseconds since 1970; of a call that never was answered, undefined. */
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  /** The first format of the answer, as in `a=rtpmap`. */
  readonly codec: string | undefined;
  /** Of both sides, in the order of their texts. */
  readonly mediaAddresses: readonly string[];
  readonly streams: Readonly<Partial<Record<StreamName, ObservedStream>>>;
}

/** The side that sent a stream; of the audio its name alone. */
export type StreamName = Side | `${Side} video`;

export interface ObservedStream {
  /** Share, 0 to 1. */
  readonly loss: number;
  /** Milliseconds. */
  readonly jitter: number;
  readonly maxJitter: number;
  /** The worst of the receiver's reports, if there are any; share, 0 to 1. */
  readonly reportedLoss: number | undefined;
  /** Between both sides: the way of a report from the capture point to either of them and back. */
  readonly roundTrip: number | undefined;
}
