import type { MediaPath, MetricUnit } from './catalogue.js';
import type { Codec, FurtherFields, OptionalEndpoint, Route } from './endpoint.js';
import type { OptionalText, Time, Verdict } from './values.js';

/** Unit, level and thresholds are in `GET /api/calls/{callId}` and `GET /api/calls/{callId}/metrics` */
export interface Metric {
  readonly value: number | string;
  /** The acceptable threshold of the sender */
  readonly limit?: number;
  readonly unit?: MetricUnit | null;
  /** By today's thresholds; MOS has a level, but is no part of the verdict */
  readonly level?: 'good' | 'poor' | 'bad' | 'unjudged';
  /** That decides the level: the acceptable value if it is bad, otherwise the optimum */
  readonly threshold?: number | null;
  readonly thresholdFrom?: 'sender' | 'profile' | null;
  /** The profile that the threshold is from: of the version of the report, or of captured media */
  readonly profile?: '1.0' | 'A' | 'C' | 'D' | 'RTP' | null;
}

/**
 * Mean opinion scores of audio; only in `GET /api/calls/{callId}` and `GET /api/calls/{callId}/metrics`. `computed` is by the E-model (ITU-T G.107), from captured
 * media or, if there are none, from the reported loss and round trip; the others are the sender's.
 */
export interface StreamMos {
  readonly listening?: Metric;
  readonly conversational?: Metric;
  readonly network?: Metric;
  readonly computed?: Metric;
}

/** The metric that made our own verdict poor or bad */
export interface Cause {
  readonly metric: string;
  readonly value: number;
  readonly threshold: number;
  readonly thresholdFrom: 'sender' | 'profile';
  /** The profile that the threshold is from, unless it is the sender's; absent from calls that an earlier release stored last */
  readonly profile?: '1.0' | 'A' | 'C' | 'D';
}

/** Quality of one medium in one direction */
export interface CallQuality {
  readonly mediaType: OptionalText;
  readonly from: OptionalEndpoint;
  readonly to: OptionalEndpoint;
  /** False for averages during the call */
  readonly final: boolean;
  readonly reportedAt: Time;
  readonly reporters: readonly string[];
  readonly frontEnds: readonly string[];
  /** By the client's clock */
  readonly startTime: OptionalText;
  readonly endTime: OptionalText;
  /** As sent; `path` takes relays into account */
  readonly connectivity: OptionalText;
  /** Absent in calls that an earlier release stored last */
  readonly path?: MediaPath;
  readonly metrics: Readonly<Record<string, Metric>>;
  readonly mos?: StreamMos;
  readonly codecs: readonly Codec[];
  /** The worst of several reports */
  readonly senderVerdict: Verdict;
  /** By thresholds */
  readonly ownVerdict: Verdict;
  /** Our own, or the sender's if there is no metric to judge; the worse of the two if all judged metrics were assumed to be zero */
  readonly verdict: Verdict;
  /** Reason for the missing own verdict */
  readonly withheld: 'tooFewPackets' | 'nothingToJudge' | null;
  /** Metrics that senders leave out when they are zero, and that were assumed to be zero */
  readonly assumedZero: readonly string[];
  readonly cause: Cause | null;
  /** Of the newest report: its profile of thresholds applies */
  readonly version?: '1.0' | 'A' | 'C' | 'D';
  /** The sender's verdict as sent */
  readonly streamQuality?: string;
  readonly streamQualitySource?: string;
  readonly route?: Route;
  readonly further?: FurtherFields;
}

export interface CallMetrics {
  readonly items: readonly MetricSeries[];
}

/** Reports on one medium in one direction */
export interface MetricSeries {
  readonly mediaType: OptionalText;
  readonly from: OptionalEndpoint;
  readonly to: OptionalEndpoint;
  /** @maxItems 2000 */
  readonly points: readonly MetricPoint[];
}

export interface MetricPoint {
  readonly at: Time;
  /** False for averages during the call */
  readonly final: boolean;
  readonly metrics: Readonly<Record<string, Metric>>;
  readonly mos: StreamMos;
}
