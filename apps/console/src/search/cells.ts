import type { Call, CallStream } from '../api/answers.js';
import { isInProgress } from '../api/calls.js';
import { serverClock } from '../api/server-clock.js';
import { formatBandwidth, formatDuration, formatFixed, formatSeconds } from '../parts/format.js';
import { formatMetric } from '../parts/metrics.js';
import { liveCallRow } from '../parts/call-row.js';
import type { Column } from './columns.js';

/** Columns whose cells are more than a text. */
export type DrawnColumn = 'verdict' | 'state' | 'callId' | 'ended';

const TEXTS: Readonly<Record<Exclude<Column, DrawnColumn>, (call: Call, now: number) => string>> = {
  trouble: (call) => liveCallRow(call).trouble,
  media: (call) => liveCallRow(call).media,
  frontEnds: ({ frontEnds }) => frontEnds.join(', '),
  lasted: (call, now) => {
    const seconds = lastedSeconds(call, now);
    return seconds === undefined ? '' : formatDuration(seconds);
  },
  mos: ({ worst }) => measured(worst?.mos, (value) => formatFixed(value, 1)),
  loss: ({ worst }) => measured(worst?.loss, (value) => formatMetric('PacketLossRate', value)),
  jitter: ({ worst }) => measured(worst?.jitter, (value) => formatMetric('JitterInterArrival', value)),
  roundTrip: ({ worst }) => measured(worst?.roundTrip, (value) => formatMetric('RoundTrip', value)),
  ringTime: ({ ringSeconds }) => measured(ringSeconds, formatSeconds),
  setupTime: ({ setupSeconds }) => measured(setupSeconds, formatSeconds),
  postDialDelay: ({ postDialSeconds }) => measured(postDialSeconds, formatSeconds),
  linkSpeed: (call) => measured(slowestLink(call), formatBandwidth),
  codecs: ({ streams }) => listed(streams.flatMap(({ codecs }) => codecs.map(({ name }) => name))),
  devices: ({ parties }) => listed(parties.flatMap(({ userAgent }) => userAgent ?? [])),
  conversationId: ({ conversationId }) => conversationId ?? '',
  addresses: ({ streams }) => listed(streams.flatMap(({ from, to }) => [from?.ip ?? [], to?.ip ?? []].flat())),
};

/**
 * The text of a cell; empty for what no record has.
 * @param now - by the clock of the server, for the duration of a call in progress
 */
export function cellText(call: Call, column: Exclude<Column, DrawnColumn>, now = serverClock.now()): string {
  return TEXTS[column](call, now);
}

/** Of a call in progress until now, as in the list of live calls: one that rings has none yet. */
export function lastedSeconds(
  { state, beganAt, duration }: Pick<Call, 'state' | 'beganAt' | 'duration'>,
  now: number,
): number | undefined {
  if (!isInProgress(state)) return duration?.seconds;
  return state === 'invited' ? undefined : (now - Date.parse(beganAt)) / 1000;
}

type StreamEnds = Pick<CallStream, 'from' | 'to'>;

/** What clients report that do not know the speed: all bits of 32, and the same rounded (as the aggregator sorts). */
const UNKNOWN_SPEEDS: readonly number[] = [4_294_967_295, 4_294_967_300];

export function slowestLink({
  parties,
  streams,
}: Pick<Call, 'parties'> & { readonly streams: readonly StreamEnds[] }): number | undefined {
  const ends = [...parties, ...streams.flatMap(({ from, to }) => [from ?? [], to ?? []].flat())];
  const speeds = ends.flatMap(({ linkSpeed = 0 }) => linkSpeed).filter((speed) => speed > 0);
  const known = speeds.filter((speed) => !UNKNOWN_SPEEDS.includes(speed));
  return known.length === 0 ? undefined : Math.min(...known);
}

function measured(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '' : format(value);
}

function listed(texts: readonly string[]): string {
  return [...new Set(texts)].join(', ');
}
