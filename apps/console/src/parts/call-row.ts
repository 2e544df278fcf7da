import type { Call, CallState, Verdict } from '../api/answers.js';
import { isInProgress } from '../api/calls.js';
import { shownSipAddress } from './format.js';
import { metricName, formatMetric } from './metrics.js';
import { texts as searchTexts } from '../texts/search.js';

/** Only the fields of a call that a row shows: five thousand whole calls would need too much memory. Immutable. */
export interface CallRow {
  readonly callId: string;
  readonly version: number;
  readonly state: CallState;
  readonly verdict: Verdict;
  readonly from: string;
  readonly to: string;
  readonly media: string;
  /** The problem in few words; empty if there is none. */
  readonly trouble: string;
  readonly frontEnds: readonly string[];
  /** Of the parties, the caller's first. */
  readonly sites: readonly string[];
  /** Milliseconds since 1970, like the next. */
  readonly beganAt: number;
  readonly endedAt: number | undefined;
  /** Used by {@link compareRows}. */
  readonly rank: number;
  /** How many times the worst value is beyond its threshold, whatever the metric; 0 without a cause. */
  readonly severity: number;
  /** Seconds, once it is over. */
  readonly seconds: number | undefined;
}

const VERDICT_RANK: Readonly<Record<Verdict, number>> = { bad: 0, poor: 2, good: 3, unknown: 3 };
/** A failed call is listed after bad calls, which affect users now. */
const FAILED_RANK = 1;

export function liveCallRow(call: Call): CallRow {
  const { callId, version, state, verdict, frontEnds, parties } = call;
  return {
    callId,
    version,
    state,
    verdict,
    from: shownSipAddress(parties[0]?.uri),
    to: parties
      .slice(1)
      .map(({ uri }) => shownSipAddress(uri))
      .join(', '),
    media: [...new Set(call.streams.flatMap(({ mediaType }) => mediaType ?? []))].join(', '),
    trouble: troubleOf(call),
    frontEnds,
    sites: [...new Set(parties.flatMap(({ site }) => site ?? []))],
    beganAt: Date.parse(call.beganAt),
    endedAt: isInProgress(state) ? undefined : Date.parse(call.endedAt ?? call.lastReceivedAt),
    rank: state === 'failed' ? Math.min(FAILED_RANK, VERDICT_RANK[verdict]) : VERDICT_RANK[verdict],
    severity: call.audio ? MOST_SEVERE : severityOf(call.cause),
    seconds: call.duration?.seconds,
  };
}

/** Bad calls first, then failed, poor and all others; within these by how bad they are, then the newest. */
export function compareRows(a: CallRow, b: CallRow): number {
  return (
    a.rank - b.rank ||
    b.severity - a.severity ||
    b.beganAt - a.beganAt ||
    (a.callId < b.callId ? -1 : Number(a.callId > b.callId))
  );
}

/** A value of zero below a threshold is infinitely far from it. */
const MOST_SEVERE = 1_000;

/** Both for metrics that are bad above their threshold (loss) and below it (MOS). */
function severityOf(cause: Call['cause']): number {
  if (cause === null) return 0;
  const [value, threshold] = [Math.abs(cause.value), Math.abs(cause.threshold)];
  const [low, high] = value < threshold ? [value, threshold] : [threshold, value];
  return low === 0 ? MOST_SEVERE : Math.min(MOST_SEVERE, high / low);
}

function troubleOf({ audio, cause, errors }: Call): string {
  const error = errors.at(-1);
  if (audio) return searchTexts.values[audio.heard];
  if (cause !== null) return `${metricName(cause.metric)} ${formatMetric(cause.metric, cause.value)}`;
  return error === undefined ? '' : [error.code, error.phrase].filter((part) => part !== null).join(' ');
}
