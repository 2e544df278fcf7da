import type {
  AUDIO,
  AUDIO_EVIDENCE,
  COVERAGES,
  END_REASONS,
  ENDED_BY,
  MEDIA_PATHS,
} from '@ringdown/call-catalogue/choices';
import type { RecordVersion, Verdict, VerdictCause, Withheld } from '@ringdown/quality';
import type { Bandwidth, Codec, Endpoint, Extensions, Metric, QualityEvent } from '@ringdown/xml-schemas/record';

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
  /** The worst verdict of all streams; bad without audio. */
  readonly verdict: Verdict;
  /** What made it poor or bad, if it was a metric and not only the sender's verdict. */
  readonly cause: CallCause | null;
  /** Null: both sides heard something, or it is not known. */
  readonly audio: CallAudio | null;
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
  readonly details: CallDetails;
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
export type EndReason = (typeof END_REASONS)[number];

export type EndedBy = (typeof ENDED_BY)[number];

/** Why the call ended, from the records of its end or of its last error. */
export interface CallEnd {
  readonly reason: EndReason;
  /** Who ended it; null when no record reports it. */
  readonly by: EndedBy | null;
  /** SIP status and its phrase. */
  readonly code: number | null;
  readonly phrase: string | null;
  readonly diagnostics: readonly Diagnostics[];
  /** Where it failed by a fault; null if it did not, or nothing names the place. */
  readonly refusedBy: Refusal | null;
  readonly further?: Extensions;
}

/** The place at which a call failed; at least one of them is known. */
export interface Refusal {
  /** The server or gateway. */
  readonly hop: string | null;
  /** On the side of the callee. */
  readonly trunk: string | null;
}

export type AudioEvidence = (typeof AUDIO_EVIDENCE)[number];

/** Audio that did not arrive. */
export interface CallAudio {
  readonly heard: (typeof AUDIO)[number];
  readonly evidence: AudioEvidence;
  /** URIs of the ends of the direction without sound; null if neither direction had any. */
  readonly from: string | null;
  readonly to: string | null;
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
  /** The operator's or our text for the id. */
  readonly meaning?: string;
}

/** The states of calls in progress. */
export const IN_PROGRESS: readonly CallState[] = ['invited', 'active', 'held'];

/** `both`: every direction of every medium was judged. `one`: only some of them. `none`: none was. */
export type Coverage = (typeof COVERAGES)[number];

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

/** An endpoint of the call. Of addresses and ports, which differ from stream to stream, the newest. */
export type Party = Endpoint & PartyDevices;

/** Of an endpoint, from the reports on its streams. */
export interface PartyDevices {
  readonly captureDevice?: string;
  readonly captureDeviceDriver?: string;
  readonly renderDevice?: string;
  readonly renderDeviceDriver?: string;
}

/** What the headers of the records report beside parties and media. What no record reports is absent. */
export interface CallDetails {
  /** Of the schema. */
  readonly versions?: readonly string[];
  /** Ids of the endpoints that reported. */
  readonly originators?: readonly string[];
  /** Clock of the reporting client. */
  readonly startTime?: string;
  readonly endTime?: string;
  readonly conferenceUri?: string;
  /** As sent; `path` of a stream takes relays into account. */
  readonly connectivity?: string;
  readonly dialogCategory?: string;
  /** bit/s. */
  readonly appliedBandwidthLimit?: number;
  readonly mediaBypass?: boolean;
  readonly mediationServerLegPosition?: string;
  /** Of the requests. */
  readonly route?: NonNullable<QualityEvent['route']>;
  /** Results of requests other than errors and ends. */
  readonly responses?: readonly CallResponse[];
  readonly redirects?: readonly CallRedirect[];
  /** Address of the last transfer, and the party that requested it. */
  readonly transferredTo?: string;
  readonly transferredBy?: 'caller' | 'callee';
  /** SIP headers of a call that a transfer led to. */
  readonly replaces?: readonly string[];
  readonly referredBy?: readonly string[];
  /** Unknown elements of headers, records and invitations, by path. */
  readonly further?: Extensions;
}

export interface CallResponse {
  /** Clock of the front end. */
  readonly at: string;
  readonly code: number | null;
  readonly phrase: string | null;
  readonly diagnostics: readonly Diagnostics[];
}

export interface CallRedirect {
  readonly from: string | null;
  readonly to: string | null;
  readonly code: number | null;
}

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
  /** Null when no record reports it. */
  readonly path: MediaPath | null;
  readonly referredBy?: string;
  readonly replaces?: string;
  readonly via?: readonly string[];
  readonly further?: Extensions;
}

/** `relay`: at least one end uses a relay, also when the report of the sender is `DIRECT`. */
export type MediaPath = (typeof MEDIA_PATHS)[number];

/** What reports contain beside metrics. */
export interface ReportDetails {
  /** The sender's own verdict, as sent, and its source. */
  readonly streamQuality?: string;
  readonly streamQualitySource?: string;
  readonly route?: NonNullable<QualityEvent['route']>;
  readonly further?: Extensions;
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
  /** The others, if there are several. */
  readonly otherDiagnostics?: readonly Diagnostics[];
  readonly endpoints: readonly Endpoint[];
  readonly further?: Extensions;
}

/** What is known of the quality of one medium in one direction, from all reports about it. */
export interface CallQuality extends ReportDetails {
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
  /** As sent. */
  readonly connectivity: string | null;
  /** As of its stream, also of one of which only this is known; absent in calls stored before there was such. */
  readonly path?: MediaPath | null;
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
  /** The version of the newest report, whose thresholds apply; absent in calls stored before there were such. */
  readonly version?: RecordVersion;
}

/** The cause on a stream with the same verdict as the call. */
export interface CallCause extends VerdictCause {
  readonly mediaType: string | null;
  /** URIs of its ends. */
  readonly from: string | null;
  readonly to: string | null;
}
