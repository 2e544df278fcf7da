export interface TrackerLimits {
  /** An invitation without further messages is forgotten after this time. All in milliseconds. */
  readonly inviteTimeoutMs: number;
  /** An established call without further messages is forgotten after this time. */
  readonly callTimeoutMs: number;
  /** How long a call that is over waits for reports of its quality. */
  readonly qualityWaitMs: number;
  /** How often the quality of a call is reported during the call; 0: not at all. */
  readonly inCallPeriodMs: number;
  readonly calls: number;
}

export const DEFAULT_LIMITS: TrackerLimits = {
  inviteTimeoutMs: 180_000,
  callTimeoutMs: 86_400_000,
  qualityWaitMs: 5_000,
  inCallPeriodMs: 30_000,
  calls: 20_000,
};
