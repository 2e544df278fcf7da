import { CALLERS_OUTCOMES } from '../fields/choices.js';
import { CALL_FIELD_NAMES, filterRow, SURROUNDING_FIELDS } from '../fields/call-fields.js';
import { CALL_RANGES, RANGE_NAMES, rangeParameters } from '../fields/call-ranges.js';
import { ALERT_DIMENSIONS, DIMENSIONS, LOAD_DIMENSIONS } from '../fields/dimensions.js';
import { FILTER_GROUPS, type FilterRow } from '../fields/filter-row.js';
import { MOS_KINDS, type MetricRow } from '../metrics/metric-row.js';
import { METRICS, SCORE_ELEMENTS } from '../metrics/metrics.js';
import { STREAM_METRICS, WORST_METRICS, type StreamMetricRow } from '../metrics/statistics.js';

/** What the console must know of metrics before it has asked for any: it is a client of the API and imports nothing of ours. */
export function consoleCatalogue(): string {
  const units = Object.entries<MetricRow>(METRICS).map(([name, { unit }]) => [name, unit] as const);
  const shown = WORST_METRICS.filter((name) => name !== 'mos').map((name) => {
    const { elements, captured = [] }: StreamMetricRow = STREAM_METRICS[name];
    return [name, [...elements, ...captured]] as const;
  });
  return [
    '',
    '/** Units of the metrics that have a name in every language; null for texts and where it is not known. */',
    'export const METRIC_UNITS = {',
    ...units.map(([name, unit]) => `  ${name}: ${quoted(unit)},`),
    '} as const;',
    '',
    '/** Metrics of which more is better. */',
    'export const MORE_IS_BETTER: readonly string[] = [',
    ...Object.entries<MetricRow>(METRICS).flatMap(([name, { better }]) =>
      better === 'higher' ? [`  '${name}',`] : [],
    ),
    '];',
    '',
    '/** Elements of a report with the value of a metric; the first that is there counts. What was captured stands in for a report. */',
    'export const METRIC_ELEMENTS = {',
    ...shown.map(([name, elements]) => `  ${name}: ${list(elements)},`),
    '} as const;',
    '',
    '/** Kinds of mean opinion scores, in the order in which they count. */',
    `export const SCORE_KINDS = ${list(MOS_KINDS)} as const;`,
    '',
    '/** Elements with a mean opinion score, in the order in which they count. */',
    'export const SCORE_ELEMENTS = {',
    ...Object.entries(SCORE_ELEMENTS).map(([kind, elements]) => `  ${kind}: ${list(elements)},`),
    '} as const;',
    '',
    '/** Groups of the choice of filters, and what they are about. */',
    `export const FILTER_GROUPS = ${list(FILTER_GROUPS)} as const;`,
    '',
    '/** Filters of calls that are fields of calls. `several`: how more than one value is sent. */',
    'export const FILTERS = {',
    ...CALL_FIELD_NAMES.map((name) => filter(name, filterRow(name))),
    '} as const;',
    '',
    '/** Filters under the names that earlier releases had for them, which addresses and stored searches keep. */',
    `export const NAMES_BEFORE: Readonly<Record<string, keyof typeof FILTERS>> = ${namesBefore()};`,
    '',
    '/** Numbers by whose range calls are found, with the parameters `min…` and `max…`. */',
    'export const RANGES = {',
    ...RANGE_NAMES.map((name) => {
      const [min, max] = rangeParameters(name);
      return `  ${name}: { min: '${min}', max: '${max}', reads: '${CALL_RANGES[name].reads}' },`;
    }),
    '} as const;',
    '',
    '/** SIP statuses by which a person, a phone or a number ends a call, and no fault. */',
    `export const CALLERS_OUTCOMES: readonly number[] = [${CALLERS_OUTCOMES.join(', ')}];`,
    '',
    '/** Fields by whose values a call with trouble is compared with others. */',
    `export const SURROUNDING_FIELDS = ${list(SURROUNDING_FIELDS)} as const;`,
    '',
    '/** What streams and calls are counted by. */',
    'export const DIMENSIONS = [',
    ...DIMENSIONS.map((name) => `  '${name}',`),
    '] as const;',
    '',
    '/** What simultaneous calls are divided by. */',
    `export const LOAD_DIMENSIONS = ${list(LOAD_DIMENSIONS)} as const;`,
    '',
    '/** What the calls of an alert rule are divided by. */',
    'export const ALERT_DIMENSIONS = [',
    ...ALERT_DIMENSIONS.filter((name) => name !== 'reason').map((name) => `  '${name}',`),
    '] as const;',
    '',
  ].join('\n');
}

function namesBefore(): string {
  const names = CALL_FIELD_NAMES.flatMap((name) => (filterRow(name).before ?? []).map((old) => `${old}: '${name}'`));
  return names.length === 0 ? '{}' : `{\n  ${names.join(',\n  ')},\n}`;
}

/** As prettier writes it. */
const LONGEST_LINE = 120;

function filter(name: string, { group, example, values, suggested }: FilterRow): string {
  const isText = typeof values === 'object' && 'what' in values;
  const properties = (listed: (names: readonly string[]) => string): readonly string[] => [
    `group: '${group}'`,
    ...(example === undefined ? [] : [`example: '${example}'`]),
    ...(values === 'numbers' || isText ? [] : [`values: ${listed(values)}`]),
    `several: '${isText ? 'repeated' : 'commas'}'`,
    ...(suggested ? ['suggested: true'] : []),
  ];
  const line = `  ${name}: { ${properties(list).join(', ')} },`;
  if (line.length <= LONGEST_LINE) return line;
  return [`  ${name}: {`, ...properties(longList).map((property) => `    ${property},`), '  },'].join('\n');
}

/** A name in each line. */
function longList(names: readonly string[]): string {
  return ['[', ...names.map((name) => `      ${quoted(name)},`), '    ]'].join('\n');
}

function list(names: readonly string[]): string {
  return `[${names.map(quoted).join(', ')}]`;
}

function quoted(text: string | null): string {
  return text === null ? 'null' : `'${text}'`;
}
