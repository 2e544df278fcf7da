import type { Coverage, EndedBy, EndReason, MediaPath } from './catalogue.js';
import type { Codec, Endpoint, FurtherFields, OptionalEndpoint, Route } from './endpoint.js';
import type { CallQuality } from './quality.js';
import type {
  Amount,
  AtLeastOne,
  Count,
  Integer,
  Mos,
  OptionalText,
  OptionalTime,
  Share,
  Text,
  Time,
  Verdict,
} from './values.js';

/** `failed`: never established. `expired`: assumed to be over because no record arrived for too long. */
export type CallState = 'invited' | 'active' | 'held' | 'ended' | 'failed' | 'expired';

/** Why the call ended, from the records of its end or of its last error. Null while it is in progress */
export type CallEnd = {
  readonly reason: EndReason;
  readonly by: EndedBy;
  /** SIP status */
  readonly code: Integer | null;
  readonly phrase: OptionalText;
  /** @maxItems 20 */
  readonly diagnostics: readonly DiagnosticsOfCall[];
  readonly refusedBy?: Refusal;
  readonly further?: FurtherFields;
} | null;

/**
 * Where the call failed by a fault, and not because a person, a phone or a number answered so (404, 410, 480, 484, 486, 487, 600, 603, 604, 607, 608).
 * Null if it did not, or if no record names the place; absent in a call of an earlier release that is not rebuilt yet
 */
export type Refusal = {
  /** The server or gateway that the diagnostics of the last error name */
  readonly hop: string | null;
  /** On the side of the callee */
  readonly trunk: string | null;
} | null;

/**
 * Audio that one side did not hear (`oneWay`), or both (`silent`), by evidence from the records (docs/records.md, "One-way and silent audio"). Null if both
 * sides heard something, or if it is not known; absent in a call of an earlier release that is not rebuilt yet
 */
export type CallAudio = {
  readonly heard: 'oneWay' | 'silent';
  /**
   * `noPackets`: its receiver got none. `allLost`: all were lost. `notCaptured`: none was captured, although both sides agreed to send and packets of the other
   * direction were; a capture that sees one direction only looks the same. `constantLevel`: all packets contained the same silence, as of some muted phones. These
   * two make no call `bad`. `noMedia`: none was captured, although those of other calls between the same networks were
   */
  readonly evidence: 'noPackets' | 'allLost' | 'notCaptured' | 'constantLevel' | 'noMedia';
  /** URI of the sender of the direction without sound; null if neither direction had any */
  readonly from: string | null;
  /** Of its receiver */
  readonly to: string | null;
} | null;

/** Offset of a front end's clock from the collector's, or of an endpoint's from the front end's */
export interface ClockSkew {
  readonly clock: 'frontEnd' | 'endpoint';
  /** Of the front end or the endpoint; null if the records do not name it */
  readonly name: string | null;
  /** Add this to its times */
  readonly skewSeconds: number;
  /** Number of samples of the estimate */
  readonly records: AtLeastOne;
}

/** @internal */
export interface CallContent {
  readonly callId: Text;
  readonly state: CallState;
  readonly endReason: EndReason;
  readonly end: CallEnd;
  /** The worst of all streams; `bad` without audio, unless the evidence is `notCaptured` or `constantLevel` */
  readonly verdict: Verdict;
  readonly cause: CallCause | null;
  readonly audio?: CallAudio;
  readonly coverage: Coverage;
  /** True if no record has the beginning of the call */
  readonly partial: boolean;
  /** Increases with every change: by one for each different record and each time-out that took effect */
  readonly version: AtLeastOne;
  /** Front ends that its records name, also in lists */
  readonly frontEnds: readonly string[];
  /** `startedAt`, or the time of the earliest record */
  readonly beganAt: Time;
  readonly startedAt: OptionalTime;
  readonly endedAt: OptionalTime;
  readonly duration: {
    readonly seconds: Amount;
    readonly clock: 'frontEnd' | 'client';
  } | null;
  /** Clock of the front end. Null in version 1.0, which has no invitations */
  readonly invitedAt: OptionalTime;
  /** From the invitation to the first media, by one clock */
  readonly setupSeconds: Amount | null;
  /** From the first ringing to the answer or failure, if the sender measures it */
  readonly ringSeconds: Amount | null;
  /** From the invitation to the first ringing, if the sender measures it */
  readonly postDialSeconds: Amount | null;
  /** Clock of the collector, when the first record arrived */
  readonly firstReceivedAt: Time;
  /** Clock of the collector, when the newest record arrived */
  readonly lastReceivedAt: Time;
  /** Clock of the collector: the time from which an ended call is complete, because no quality report is expected any more. Null while it is in progress */
  readonly settlesAt: OptionalTime;
  /** Number of records that arrived later and amended the call */
  readonly lateRecords: Count;
  readonly clocks: readonly ClockSkew[];
  readonly conversationId: OptionalText;
  readonly conferenceId: OptionalText;
  readonly correlationId: OptionalText;
  /** Of addresses and ports, which differ from stream to stream, the newest */
  readonly parties: readonly Endpoint[];
  readonly streams: readonly CallStream[];
  readonly errors: readonly CallError[];
  readonly quality: readonly CallQuality[];
  /** The senders of its records, the earliest first. A record belongs to the feed of its front end (1.0, D with one name), its pool (C), else to the subject of its certificate or its address */
  readonly feeds: readonly string[];
  /** Pools that its records name */
  readonly pools: readonly string[];
  readonly details: CallDetails;
}

/** The content of all records of one CallId together. Null for fields that no record has. */
export interface Call extends CallContent {
  readonly worst?: WorstMetrics;
}

/** What the headers of its records contain beside parties and media; fields that no record has are absent */
export interface CallDetails {
  /** Of the schema */
  readonly versions?: readonly string[];
  /** Ids of the endpoints that reported */
  readonly originators?: readonly string[];
  /** Clock of the reporting client */
  readonly startTime?: Time;
  /** Clock of the reporting client */
  readonly endTime?: Time;
  readonly conferenceUri?: string;
  /** As sent; `path` of a stream takes relays into account */
  readonly connectivity?: string;
  readonly dialogCategory?: string;
  /** bit/s */
  readonly appliedBandwidthLimit?: Integer;
  readonly mediaBypass?: boolean;
  readonly mediationServerLegPosition?: string;
  /** Of the requests */
  readonly route?: Route;
  /**
   * Results of requests other than errors and ends
   * @maxItems 20
   */
  readonly responses?: readonly {
    readonly at: Time;
    /** SIP status */
    readonly code: Integer | null;
    readonly phrase: string | null;
    readonly diagnostics: readonly DiagnosticsOfCall[];
  }[];
  /** @maxItems 20 */
  readonly redirects?: readonly {
    readonly from: string | null;
    readonly to: string | null;
    /** SIP status */
    readonly code: Integer | null;
  }[];
  /** Address of the last transfer */
  readonly transferredTo?: string;
  /** The party that requested it */
  readonly transferredBy?: 'caller' | 'callee';
  /** Of a call that a transfer led to, the SIP header with the replaced call */
  readonly replaces?: readonly string[];
  /** Of a call that a transfer led to, the SIP header with the user who transferred */
  readonly referredBy?: readonly string[];
  readonly further?: FurtherFields;
}

export interface DiagnosticsOfCall {
  /** For whom it was written */
  readonly kind: 'server' | 'client' | 'public';
  readonly code: Integer | null;
  readonly reason: string | null;
  readonly source: string | null;
  /** As sent */
  readonly text: string;
  /** Text for the id, if there is one in the table (`DIAGNOSTICS_TEXTS`) */
  readonly meaning?: string;
}

/** The metric on one of its worst streams that made the call poor or bad */
export interface CallCause {
  readonly mediaType: OptionalText;
  readonly from: OptionalText;
  readonly to: OptionalText;
  readonly metric: string;
  readonly value: number;
  readonly threshold: number;
  readonly thresholdFrom: 'sender' | 'profile';
  /** The profile that the threshold is from, unless it is the sender's; absent from calls that an earlier release stored last */
  readonly profile?: '1.0' | 'A' | 'C' | 'D';
}

/** The worst value of each metric among the streams, by which lists are filtered and sorted; null if none has it. In lists of calls only */
export interface WorstMetrics {
  /** 1 is all */
  readonly loss: Share | null;
  /** ms */
  readonly jitter: Amount | null;
  /** ms */
  readonly roundTrip: Amount | null;
  readonly mos: Mos | null;
}

/** One medium in one direction */
export interface CallStream {
  /** @examples ["audio","video","applicationsharing"] */
  readonly mediaType: string | null;
  readonly from: OptionalEndpoint;
  readonly to: OptionalEndpoint;
  readonly state: 'active' | 'held' | 'ended';
  readonly startedAt: OptionalTime;
  readonly endedAt: OptionalTime;
  readonly protocol: OptionalText;
  readonly codecs: readonly Codec[];
  readonly bandwidth: {
    /** bit/s */
    readonly average?: number;
    /** bit/s */
    readonly maximum?: number;
    readonly multiplexed?: Integer;
  } | null;
  readonly frontEnds: readonly string[];
  readonly verdict: Verdict;
  readonly path: MediaPath;
  readonly referredBy?: string;
  readonly replaces?: string;
  readonly via?: readonly string[];
  readonly further?: FurtherFields;
}

export interface CallError {
  readonly at: Time;
  readonly frontEnds: readonly string[];
  readonly mediaType: OptionalText;
  /** SIP status */
  readonly code: Integer | null;
  readonly phrase: OptionalText;
  readonly diagnostics: {
    readonly code: Integer | null;
    readonly reason: OptionalText;
    readonly source: OptionalText;
    /** As sent */
    readonly text: string;
    /** Text for the id */
    readonly meaning?: string;
  } | null;
  readonly endpoints: readonly Endpoint[];
  /**
   * The others, if there are several
   * @maxItems 20
   */
  readonly otherDiagnostics?: readonly DiagnosticsOfCall[];
  readonly further?: FurtherFields;
}
