import { METRIC_UNITS } from '../metrics/metric-row.js';
import {
  SETUP_METRIC_NAMES,
  SETUP_METRICS,
  STREAM_METRIC_NAMES,
  STREAM_METRICS,
  type Scale,
  type StreamMetricRow,
} from '../metrics/statistics.js';
import { SUGGESTED_FIELDS } from '../fields/call-fields.js';
import { choiceSchemas } from './choice-documents.js';
import { consoleCatalogue } from './console-catalogue.js';
import { ALERT_DIMENSIONS, DIMENSIONS } from '../fields/dimensions.js';
import { filtersTable, parameterReferences, parameters, yamlList } from './filter-documents.js';
import { connectionTable, endpointPropertiesOnBus, endpointsTable, headerPropertiesOnBus } from './field-documents.js';
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
    { file: 'docs/records.md', name: 'header', text: `\n${connectionTable()}\n` },
    { file: 'docs/records.md', name: 'endpoints', text: `\n${endpointsTable()}\n` },
    { file: 'docs/asyncapi.yaml', name: 'endpoint', text: endpointPropertiesOnBus() },
    { file: 'docs/asyncapi.yaml', name: 'header', text: headerPropertiesOnBus() },
    { file: 'docs/openapi.yaml', name: 'choices', text: choiceSchemas() },
    { file: 'docs/asyncapi.yaml', name: 'choices', text: choiceSchemas() },
    { file: 'docs/records.md', name: 'metrics', text: `\n${metricsTable()}\n` },
    { file: 'docs/records.md', name: 'captured metrics', text: `\n${capturedTable()}\n` },
    { file: 'docs/records.md', name: 'thresholds', text: `\n${thresholdsTable()}\n` },
    { file: 'docs/guides/history.md', name: 'stream metrics', text: `\n${historyTable()}\n` },
    { file: 'docs/openapi.yaml', name: 'units of metrics', text: unitsOfReports() },
    { file: 'docs/openapi.yaml', name: 'units of statistics', text: unitsOfStatistics() },
    { file: 'docs/openapi.yaml', name: 'stream metrics', text: streamMetricNames() },
    { file: 'docs/openapi.yaml', name: 'filters', text: parameterReferences() },
    { file: 'docs/openapi.yaml', name: 'parameters of filters', text: parameters() },
    { file: 'docs/openapi.yaml', name: 'suggested fields', text: yamlList(SUGGESTED_FIELDS, 16) },
    { file: 'docs/openapi.yaml', name: 'dimensions', text: yamlList(DIMENSIONS, 8) },
    { file: 'docs/openapi.yaml', name: 'dimensions of alerts', text: yamlList(ALERT_DIMENSIONS, 8) },
    { file: 'docs/guides/history.md', name: 'filters', text: `\n${filtersTable()}\n` },
    { file: CONSOLE_FILE, name: 'catalogue', text: consoleCatalogue() },
  ];
}

/** The content with the part in each of its places. Throws an Error if it has none, or one without an end. */
export function withPart(content: string, { file, name, text }: GeneratedPart): string {
  const lines: string[] = [];
  let found = false;
  let isInside = false;
  for (const line of content.split('\n')) {
    if (isInside && line.includes('generated: ')) break;
    if (isInside && !line.includes('end of generated')) continue;
    isInside = line.replace(/ -->$/, '').endsWith(`generated: ${name}`);
    lines.push(line, ...(isInside ? [text] : []));
    found ||= isInside;
  }
  if (!found) throw new Error(`${file} has no part "generated: ${name}"`);
  if (isInside) throw new Error(`the part "generated: ${name}" of ${file} has no end`);
  return lines.join('\n');
}

function unitsOfReports(): string {
  return `    MetricUnit: { enum: [${METRIC_UNITS.join(', ')}] }`;
}

function unitsOfStatistics(): string {
  const scales: readonly Scale[] = [...Object.values(STREAM_METRICS), ...Object.values(SETUP_METRICS)];
  return `    StatisticsUnit: { enum: [${[...new Set(scales.map(({ unit }) => unit))].join(', ')}] }`;
}

function streamMetricNames(): string {
  const ofStreams = STREAM_METRIC_NAMES.map((name) => {
    const { elements }: StreamMetricRow = STREAM_METRICS[name];
    return `        - ${name}${elements.length > 0 ? ` # ${elements.join(', ')}` : ''}`;
  });
  return [...ofStreams, ...SETUP_METRIC_NAMES.map((name) => `        - ${name}`)].join('\n');
}
