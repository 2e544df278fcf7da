import { AUDIO_ROWS } from '../metrics/audio.js';
import { CAPTURED_ROWS } from '../metrics/captured.js';
import { mediumDefaultThresholds, JUDGED_MEDIA } from '../metrics/default-thresholds.js';
import type { MetricBounds, MetricRow, MetricTable, MetricUnit } from '../metrics/metric-row.js';
import { metricRow } from '../metrics/metrics.js';
import { SHARING_ROWS } from '../metrics/sharing.js';
import { STREAM_METRIC_NAMES, STREAM_METRICS } from '../metrics/statistics.js';
import { STREAM_ROWS } from '../metrics/streams.js';
import { VIDEO_ROWS } from '../metrics/video.js';
import { markdownTable } from './markdown-table.js';

const UNIT_WORDS: Readonly<Record<MetricUnit, string>> = {
  ratio: 'fraction',
  percent: '%',
  ms: 'ms',
  'bit/s': 'bit/s',
  '1/s': '1/s',
  mos: 'MOS',
  dB: 'dB',
  count: 'number',
};
/** Above this, a bound only says that the value is a number. */
const NO_BOUND = 1e12;
const HEAD = ['Metric', 'Unit', 'Possible', 'Meaning'];

/** Metrics that senders are known to write. */
export function metricsTable(): string {
  return markdownTable(
    [...HEAD.slice(0, 3), 'Medium', ...HEAD.slice(3)],
    [
      ...mediumRows('all', STREAM_ROWS),
      ...mediumRows('audio', AUDIO_ROWS),
      ...mediumRows('video', VIDEO_ROWS),
      ...mediumRows('shared screens', SHARING_ROWS),
    ],
  );
}

/** What our sender measures in captured media. */
export function capturedTable(): string {
  return markdownTable(HEAD, rows(CAPTURED_ROWS));
}

/** The default profile. */
export function thresholdsTable(): string {
  const all = JUDGED_MEDIA.flatMap((medium) =>
    Object.entries(mediumDefaultThresholds(medium)).map(([name, { optimal, acceptable }]) => [
      `\`${medium}\``,
      `\`${name}\``,
      unitWords(metricRow(name)?.unit ?? null),
      number(optimal),
      number(acceptable),
      metricRow(name)?.better === 'higher' ? 'less' : 'more',
    ]),
  );
  return markdownTable(['Medium', 'Metric', 'Unit', 'Optimal', 'Acceptable', 'Worse'], all);
}

/** What statistics count. */
export function historyTable(): string {
  const all = STREAM_METRIC_NAMES.map((name) => {
    const { elements, unit } = STREAM_METRICS[name];
    const words = elements.map((element) => `\`${element}\``).join(', ');
    return [`\`${name}\``, words === '' ? 'see above' : words, unitWords(unit)];
  });
  return markdownTable(['`metric`', 'Element of the reports, the first that is there', 'Unit'], all);
}

function mediumRows(medium: string, table: MetricTable): readonly (readonly string[])[] {
  return rows(table).map((row) => [...row.slice(0, 3), medium, ...row.slice(3)]);
}

function rows(table: MetricTable): readonly (readonly string[])[] {
  return Object.entries<MetricRow>(table).map(([name, { unit, possible, brief }]) => {
    return [`\`${name}\``, unitWords(unit), boundsWords(possible), brief];
  });
}

function unitWords(unit: MetricUnit | null): string {
  return unit === null ? '–' : UNIT_WORDS[unit];
}

function boundsWords(possible: MetricBounds | null): string {
  if (possible === null) return 'anything';
  return possible.most >= NO_BOUND ? 'not negative' : `${number(possible.least)} to ${number(possible.most)}`;
}

function number(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 6 });
}
