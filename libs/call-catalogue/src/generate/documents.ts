import { METRIC_UNITS } from '../metrics/metric-row.js';
import { STREAM_METRIC_NAMES, STREAM_METRICS, type StreamMetricRow } from '../metrics/statistics.js';
import { consoleCatalogue } from './console-catalogue.js';
import { capturedTable, historyTable, metricsTable, thresholdsTable } from './metric-tables.js';

/** A part of a file that is written from the rows, between a line with `generated: name` and one with `end of generated`. */
export interface GeneratedPart {
  /** From the root of the checkout. */
  readonly file: string;
  readonly name: string;
  readonly text: string;
}

export const CONSOLE_FILE = 'apps/console/src/api/catalogue.ts';

export function generatedParts(): readonly GeneratedPart[] {
  return [
    { file: 'docs/records.md', name: 'metrics', text: `\n${metricsTable()}\n` },
    { file: 'docs/records.md', name: 'captured metrics', text: `\n${capturedTable()}\n` },
    { file: 'docs/records.md', name: 'thresholds', text: `\n${thresholdsTable()}\n` },
    { file: 'docs/guides/history.md', name: 'stream metrics', text: `\n${historyTable()}\n` },
    { file: 'docs/openapi.yaml', name: 'units of metrics', text: unitsOfReports() },
    { file: 'docs/openapi.yaml', name: 'stream metrics', text: streamMetricNames() },
    { file: CONSOLE_FILE, name: 'catalogue', text: consoleCatalogue() },
  ];
}

/** The content with the part in its place. Throws an Error if it has no such place. */
export function withPart(content: string, { file, name, text }: GeneratedPart): string {
  const begin = content.indexOf(`generated: ${name}`);
  const from = content.indexOf('\n', begin) + 1;
  const until = content.indexOf('end of generated', from);
  if (begin === -1 || until === -1) throw new Error(`${file} has no part "generated: ${name}"`);
  const to = content.lastIndexOf('\n', until) + 1;
  return `${content.slice(0, from)}${text}\n${content.slice(to)}`;
}

function unitsOfReports(): string {
  return `        unit: { enum: [${METRIC_UNITS.join(', ')}, null] }`;
}

function streamMetricNames(): string {
  return STREAM_METRIC_NAMES.map((name) => {
    const { elements }: StreamMetricRow = STREAM_METRICS[name];
    return `        - ${name}${elements.length > 0 ? ` # ${elements.join(', ')}` : ''}`;
  }).join('\n');
}
