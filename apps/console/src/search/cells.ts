import type { Call } from '../api/answers.js';
import { formatDuration, formatFixed, formatSeconds } from '../parts/format.js';
import { formatMetric } from '../parts/metrics.js';
import { liveCallRow } from '../live/call-row.js';
import type { Column } from './columns.js';

/** Columns whose cells are more than a text. */
export type DrawnColumn = 'verdict' | 'state' | 'callId';

const TEXTS: Readonly<Record<Exclude<Column, DrawnColumn>, (call: Call) => string>> = {
  trouble: (call) => liveCallRow(call).trouble,
  media: (call) => liveCallRow(call).media,
  frontEnds: ({ frontEnds }) => frontEnds.join(', '),
  lasted: ({ duration }) => (duration === null ? '' : formatDuration(duration.seconds)),
  mos: ({ worst }) => measured(worst?.mos, (value) => formatFixed(value, 1)),
  loss: ({ worst }) => measured(worst?.loss, (value) => formatMetric('PacketLossRate', value)),
  jitter: ({ worst }) => measured(worst?.jitter, (value) => formatMetric('JitterInterArrival', value)),
  roundTrip: ({ worst }) => measured(worst?.roundTrip, (value) => formatMetric('RoundTrip', value)),
  ringTime: ({ ringSeconds }) => measured(ringSeconds, formatSeconds),
  codecs: ({ streams }) => listed(streams.flatMap(({ codecs }) => codecs.map(({ name }) => name))),
  devices: ({ parties }) => listed(parties.flatMap(({ userAgent }) => userAgent ?? [])),
  conversationId: ({ conversationId }) => conversationId ?? '',
  addresses: ({ streams }) => listed(streams.flatMap(({ from, to }) => [from?.ip ?? [], to?.ip ?? []].flat())),
};

/** The text of a cell; empty for what no record has. */
export function cellText(call: Call, column: Exclude<Column, DrawnColumn>): string {
  return TEXTS[column](call);
}

function measured(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '' : format(value);
}

function listed(texts: readonly string[]): string {
  return [...new Set(texts)].join(', ');
}
