// Shapes of docs/openapi.yaml, as far as views need them.

export type CallState = 'invited' | 'active' | 'held' | 'ended' | 'failed' | 'expired';
export type Verdict = 'good' | 'poor' | 'bad' | 'unknown';

export const CALL_STATES: readonly CallState[] = ['invited', 'active', 'held', 'ended', 'failed', 'expired'];
/** The worst first. */
export const VERDICTS: readonly Verdict[] = ['bad', 'poor', 'good', 'unknown'];
const IN_PROGRESS: ReadonlySet<CallState> = new Set(['invited', 'active', 'held']);

export function isInProgress(state: CallState): boolean {
  return IN_PROGRESS.has(state);
}

export interface Cause {
  readonly metric: string;
  readonly value: number;
  readonly threshold: number;
  readonly thresholdFrom: 'sender' | 'profile';
}

export interface CallCause extends Cause {
  readonly mediaType: string | null;
  readonly from: string | null;
  readonly to: string | null;
}

/** Many more fields than these; views show whatever there is. */
export interface Endpoint {
  readonly uri?: string;
  readonly ip?: string;
  readonly port?: number;
  readonly relay?: string;
  readonly relayPort?: number;
  readonly reflexiveIp?: string;
  readonly reflexivePort?: number;
  readonly hostIp?: string;
  readonly hostPort?: number;
  readonly userAgent?: string;
  readonly connection?: string;
  readonly subnet?: string;
  readonly epType?: string;
  readonly further?: Readonly<Record<string, string>>;
}

export interface Codec {
  readonly name: string;
  readonly payloadType?: number;
  readonly low?: number;
  readonly high?: number;
}

export interface CallStream {
  readonly mediaType: string | null;
  readonly from: Endpoint | null;
  readonly to: Endpoint | null;
  readonly state: 'active' | 'held' | 'ended';
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly protocol: string | null;
  readonly codecs: readonly Codec[];
  readonly bandwidth: { readonly average?: number; readonly maximum?: number; readonly multiplexed?: number } | null;
  readonly frontEnds: readonly string[];
  readonly verdict: Verdict;
}

export interface CallError {
  readonly at: string;
  readonly frontEnds: readonly string[];
  readonly mediaType: string | null;
  readonly code: number | null;
  readonly phrase: string | null;
  readonly diagnostics: {
    readonly code: number | null;
    readonly reason: string | null;
    readonly source: string | null;
    readonly text: string;
  } | null;
  readonly endpoints: readonly Endpoint[];
}

export interface Metric {
  readonly value: number | string;
  readonly limit?: number;
}

export interface CallQuality {
  readonly mediaType: string | null;
  readonly from: Endpoint | null;
  readonly to: Endpoint | null;
  readonly final: boolean;
  readonly reportedAt: string;
  readonly reporters: readonly string[];
  readonly frontEnds: readonly string[];
  readonly connectivity: string | null;
  readonly metrics: Readonly<Record<string, Metric>>;
  readonly codecs: readonly Codec[];
  readonly senderVerdict: Verdict;
  readonly ownVerdict: Verdict;
  readonly verdict: Verdict;
  readonly withheld: 'tooFewPackets' | 'nothingToJudge' | null;
  readonly assumedZero: readonly string[];
  readonly cause: Cause | null;
}

export interface ClockSkew {
  readonly clock: 'frontEnd' | 'endpoint';
  readonly name: string | null;
  readonly skewSeconds: number;
  readonly records: number;
}

export interface Call {
  readonly callId: string;
  readonly state: CallState;
  readonly endReason: 'ended' | 'error' | 'reported' | 'expired' | null;
  readonly verdict: Verdict;
  readonly cause: CallCause | null;
  readonly partial: boolean;
  readonly version: number;
  readonly frontEnds: readonly string[];
  readonly beganAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly duration: { readonly seconds: number; readonly clock: 'frontEnd' | 'client' } | null;
  readonly firstReceivedAt: string;
  readonly lastReceivedAt: string;
  readonly settlesAt: string | null;
  readonly lateRecords: number;
  readonly clocks: readonly ClockSkew[];
  readonly conversationId: string | null;
  readonly conferenceId: string | null;
  readonly correlationId: string | null;
  readonly parties: readonly Endpoint[];
  readonly streams: readonly CallStream[];
  readonly errors: readonly CallError[];
  readonly quality: readonly CallQuality[];
}

export interface CallPage {
  readonly items: readonly Call[];
  readonly next: string | null;
}

export interface CallsInProgress {
  readonly calls: readonly Call[];
  readonly total: number;
}

export interface LinkedCall {
  readonly callId: string;
  /** What the two have in common. */
  readonly by: readonly ('conversation' | 'conference' | 'correlation')[];
  readonly state: CallState;
  readonly verdict: Verdict;
  readonly beganAt: string;
  readonly endedAt: string | null;
  readonly parties: readonly string[];
}

export interface StoredRecord {
  readonly id: string;
  readonly kinds: readonly string[];
  readonly frontEnds: readonly string[];
  readonly sentAt: string | null;
  readonly receivedAt: string;
  readonly remoteAddress: string | null;
  readonly certificateSubject: string | null;
  readonly xml: string;
}

export interface CallWithRecords extends Call {
  readonly linked: readonly LinkedCall[];
  readonly records: readonly StoredRecord[];
  readonly recordsLeftOut: number;
}

export interface TimelineItem {
  readonly recordId: string;
  readonly at: string;
  readonly clock: 'frontEnd' | 'collector';
  readonly receivedAt: string;
  readonly frontEnds: readonly string[];
  readonly late: boolean;
  readonly events: readonly { readonly kind: string; readonly [field: string]: unknown }[];
  readonly after: { readonly state: CallState; readonly verdict: Verdict; readonly cause: CallCause | null };
  readonly changed: readonly string[];
}

export interface TimelinePage {
  readonly items: readonly TimelineItem[];
  readonly next: string | null;
}

export interface LoadStatistics {
  readonly from: string;
  readonly to: string;
  readonly bucketSeconds: number;
  readonly items: readonly {
    readonly at: string;
    readonly calls: number;
    readonly averageBandwidth: number;
    readonly maximumBandwidth: number;
  }[];
}
