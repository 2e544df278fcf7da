import type { Bandwidth, Codec, Endpoint, Metric } from '@ringdown/xml-schemas';

/**
 * What all records of one CallId together report about the call: plain data that survives JSON and is what the query
 * API returns. Times are ISO 8601 in UTC. Null means that no record has reported it.
 */
export interface Call {
  /** As its earliest record writes it; compare case-insensitively. */
  readonly callId: string;
  readonly state: CallState;
  /** Null while the call is in progress. */
  readonly endReason: EndReason | null;
  /** Null while the call is in progress. */
  readonly end: CallEnd | null;
  /** The worst verdict of all streams. */
  readonly verdict: Verdict;
  /** What made it poor or bad, if it was a metric and not only the sender's verdict. */
  readonly cause: CallCause | null;
  /** For how many directions of its media the verdict speaks. */
  readonly coverage: Coverage;
  /** True when no record reported how the call began, so some of it was missed. */
  readonly partial: boolean;
  /**
   * Grows with every change: by one for each different record, also a late one, and for each time-out that took effect.
   */
  readonly version: number;
  /** The feeds of its records, the earliest first: each has one sender and one clock. */
  readonly feeds: readonly string[];
  /** Every front end that its records name, also those of lists; the earliest first. */
  readonly frontEnds: readonly string[];
  /** Every pool that its records name. */
  readonly pools: readonly string[];
  /** `startedAt`, or the time of the earliest record when the start is not known; calls are listed by it. */
  readonly beganAt: string;
  /** Clock of the front end that reported it; null in 1.0, which has no invitations. */
  readonly invitedAt: string | null;
  /** Clock of the front end that reported it. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly duration: CallDuration | null;
  /** From the invitation to the first media, by one clock. */
  readonly setupSeconds: number | null;
  /** From the first ringing to the answer or failure, as the sender measured it. */
  readonly ringSeconds: number | null;
  /** From the invitation to the first ringing, as the sender measured it. */
  readonly postDialSeconds: number | null;
  /** Our clock, when the first and the newest record arrived. */
  readonly firstReceivedAt: string;
  readonly lastReceivedAt: string;
  /** Our clock: when a finished call is complete, because no quality report is expected any more. */
  readonly settlesAt: string | null;
  /** How many records arrived after that and amended the call. */
  readonly lateRecords: number;
  readonly clocks: readonly ClockSkew[];
  readonly conversationId: string | null;
  readonly conferenceId: string | null;
  readonly correlationId: string | null;
  /** The call's table of endpoints: everything that any record reported about each. */
  readonly parties: readonly Party[];
  readonly streams: readonly CallStream[];
  readonly errors: readonly CallError[];
  readonly quality: readonly CallQuality[];
}

export type CallState = 'invited' | 'active' | 'held' | 'ended' | 'failed' | 'expired';

export const CALL_STATES: readonly CallState[] = ['invited', 'active', 'held', 'ended', 'failed', 'expired'];

/**
 * `ended`: a record reported the end. `error`: the call failed, or an error ended its streams. `reported`: the parties'
 * final reports arrived, the record of the end was lost. `expired`: no record arrived for too long.
 */
export type EndReason = 'ended' | 'error' | 'reported' | 'expired';

/** Why the call ended, from the records of its end or of its last error. */
export interface CallEnd {
  readonly reason: EndReason;
  /** Who ended it; null when no record reports it. */
  readonly by: 'caller' | 'callee' | null;
  /** SIP status and its phrase. */
  readonly code: number | null;
  readonly phrase: string | null;
  readonly diagnostics: readonly Diagnostics[];
}

/** For whom a diagnostics text was written: the server's own logs, the client, or everyone outside. */
export type DiagnosticsKind = 'server' | 'client' | 'public';

export interface Diagnostics {
  readonly kind: DiagnosticsKind;
  readonly code: number | null;
  readonly reason: string | null;
  readonly source: string | null;
  /** As sent. It may contain names of users and hosts. */
  readonly text: string;
}

/** The states of calls in progress. */
export const IN_PROGRESS: readonly CallState[] = ['invited', 'active', 'held'];

export type Verdict = 'good' | 'poor' | 'bad' | 'unknown';

export const VERDICTS: readonly Verdict[] = ['good', 'poor', 'bad', 'unknown'];

/** `both`: every direction of every medium was judged. `one`: only some of them. `none`: none was. */
export type Coverage = 'both' | 'one' | 'none';

export const COVERAGES: readonly Coverage[] = ['both', 'one', 'none'];

/** Measured by one clock only, because front ends and clients disagree by up to a minute. */
export interface CallDuration {
  readonly seconds: number;
  readonly clock: 'frontEnd' | 'client';
}

/**
 * The difference between a clock and the one that it reports to: a front end's and ours, or an endpoint's and the front
 * end's.
 */
export interface ClockSkew {
  readonly clock: 'frontEnd' | 'endpoint';
  /** The feed, or the endpoint's id; null when the records do not name the owner of the clock. */
  readonly name: string | null;
  /** To be added to its times. For a front end it includes the transport time to us. */
  readonly skewSeconds: number;
  /** How many records it was estimated from. */
  readonly records: number;
}

/** An endpoint of the call. Ports and relays belong to its streams. */
export type Party = Omit<Endpoint, 'port' | 'relay' | 'relayPort' | 'reflexivePort' | 'hostPort'>;

/** One medium in one direction. */
export interface CallStream {
  /** `audio`, `video`, `applicationsharing`, ... */
  readonly mediaType: string | null;
  readonly from: Endpoint | null;
  readonly to: Endpoint | null;
  readonly state: 'active' | 'held' | 'ended';
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly protocol: string | null;
  readonly codecs: readonly Codec[];
  readonly bandwidth: Bandwidth | null;
  readonly frontEnds: readonly string[];
  readonly verdict: Verdict;
}

export interface CallError {
  /** Clock of the front end. */
  readonly at: string;
  readonly frontEnds: readonly string[];
  readonly mediaType: string | null;
  /** SIP status. */
  readonly code: number | null;
  readonly phrase: string | null;
  /** Of several kinds, the most exact. */
  readonly diagnostics: Omit<Diagnostics, 'kind'> | null;
  readonly endpoints: readonly Endpoint[];
}

/** What is known of the quality of one medium in one direction, from all reports about it. */
export interface CallQuality {
  readonly mediaType: string | null;
  readonly from: Endpoint | null;
  readonly to: Endpoint | null;
  /** False for interim averages, reported during the call. */
  readonly final: boolean;
  /** Clock of the front end, when it handled the newest of the reports. */
  readonly reportedAt: string;
  /** Ids of the endpoints that reported, where the records name them. */
  readonly reporters: readonly string[];
  readonly frontEnds: readonly string[];
  /** Clock of the reporting client. */
  readonly startTime: string | null;
  readonly endTime: string | null;
  readonly connectivity: string | null;
  readonly metrics: Readonly<Record<string, Metric>>;
  readonly codecs: readonly Codec[];
  /** The sender's own verdict: the worst one of several reports. */
  readonly senderVerdict: Verdict;
  /** Our verdict, by thresholds. */
  readonly ownVerdict: Verdict;
  /** Our verdict, or the sender's when the report has nothing that we could judge. */
  readonly verdict: Verdict;
  /** The cause of our own verdict. */
  readonly cause: VerdictCause | null;
  /** Why there is no verdict of ours. */
  readonly withheld: Withheld | null;
  /** Metrics that senders omit when they are zero, and that were assumed to be zero. */
  readonly assumedZero: readonly string[];
}

/** `tooFewPackets`: too few to be meaningful. `nothingToJudge`: no metric that has a threshold. */
export type Withheld = 'tooFewPackets' | 'nothingToJudge';

/** The cause on a stream with the same verdict as the call. */
export interface CallCause extends VerdictCause {
  readonly mediaType: string | null;
  /** URIs of its ends. */
  readonly from: string | null;
  readonly to: string | null;
}

/** The metric that made a verdict poor or bad: the one that exceeds its threshold most. */
export interface VerdictCause {
  readonly metric: string;
  readonly value: number;
  readonly threshold: number;
  /** `sender`: the limit that the record has beside the value. */
  readonly thresholdFrom: 'sender' | 'profile';
}
