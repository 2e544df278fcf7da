import { CALL_FIELD_NAMES, filterRow } from '../fields/call-fields.js';
import {
  CALL_RANGES,
  RANGE_LIMITS,
  RANGE_NAMES,
  rangeParameters,
  type RangeName,
  type RangeReading,
} from '../fields/call-ranges.js';
import type { FilterRow } from '../fields/filter-row.js';
import { markdownTable } from './markdown-table.js';

/** Filters of `GET /api/calls` that are fields of calls, for docs/guides/history.md. */
export function filtersTable(): string {
  const counted = { streams: 'of each stream', keys: 'of the call' } as const;
  return markdownTable(
    ['Parameter', 'Finds calls', 'Counted by values', 'Suggested'],
    CALL_FIELD_NAMES.map((name) => {
      const row = filterRow(name);
      return [`\`${name}\``, row.brief, row.counted ? counted[row.counted] : '–', row.suggested ? 'yes' : '–'];
    }),
  );
}

/** References to the parameters, in each operation with filters. */
export function parameterReferences(): string {
  const fields = ['', 'Not'].flatMap((not) => CALL_FIELD_NAMES.map((name) => `Call${not}${capital(name)}`));
  const ends = RANGE_NAMES.flatMap((name) => rangeParameters(name).map((parameter) => `Call${capital(parameter)}`));
  return [...fields, ...ends].map((name) => `        - { $ref: '#/components/parameters/${name}' }`).join('\n');
}

/** `components.parameters`. */
export function parameters(): string {
  const all = CALL_FIELD_NAMES.map((name) =>
    parameter(`Call${capital(name)}`, name, `Finds calls ${filterRow(name).brief}`, filterRow(name)),
  );
  const excluding = CALL_FIELD_NAMES.map((name) =>
    parameter(`CallNot${capital(name)}`, `not.${name}`, `Without any of these values of \`${name}\``, filterRow(name)),
  );
  return [...all, ...excluding, ...RANGE_NAMES.flatMap(rangeParameterDocuments)].join('\n');
}

/** Completes "at least this". */
const UNITS: Readonly<Record<RangeReading, string>> = {
  seconds: ' many seconds',
  milliseconds: ' many milliseconds',
  share: '',
  mos: '',
  bits: ' many bit/s',
};

function rangeParameterDocuments(name: RangeName): readonly string[] {
  const { brief, reads } = CALL_RANGES[name];
  const { least, most, decimals } = RANGE_LIMITS[reads];
  const type = decimals === 0 ? 'integer' : 'number';
  return rangeParameters(name).map((parameter, end) =>
    [
      `    Call${capital(parameter)}:`,
      `      name: ${parameter}`,
      '      in: query',
      `      description: ${yamlText(`${brief}: at ${end === 0 ? 'least' : 'most'} this${UNITS[reads]}; a call without the value is not found`)}`,
      `      schema: { type: ${type}, minimum: ${least}, maximum: ${most} }`,
    ].join('\n'),
  );
}

/** An indented list of names. */
export function yamlList(names: readonly string[], indent: number): string {
  return names.map((name) => `${' '.repeat(indent)}- ${name}`).join('\n');
}

function parameter(component: string, name: string, description: string, { values }: FilterRow): string {
  return [
    `    ${component}:`,
    `      name: ${name}`,
    '      in: query',
    `      description: ${yamlText(description)}`,
    '      style: form',
    `      explode: ${typeof values === 'object' && 'what' in values}`,
    `      schema:${schema(values)}`,
  ].join('\n');
}

/** A longer list is written line by line, as prettier leaves it. */
const LINE_OF_WORDS = 8;

function schema(values: FilterRow['values']): string {
  if (Array.isArray(values) && values.length > LINE_OF_WORDS)
    return `\n        type: array\n        items:\n          enum:\n${yamlList(values, 12)}`;
  return ` ${shortSchema(values)}`;
}

function shortSchema(values: FilterRow['values']): string {
  if (values === 'numbers') return list(`{ type: integer, minimum: 0, maximum: 999999999 }`, ', maxItems: 50');
  if ('what' in values)
    return list(`{ type: string, minLength: 1, maxLength: ${values.longest} }`, ', minItems: 1, maxItems: 50');
  const isFlag = values.includes('true') && values.includes('false');
  return list(isFlag ? '{ type: boolean }' : `{ enum: [${values.join(', ')}] }`, '');
}

function list(items: string, limits: string): string {
  return `{ type: array${limits}, items: ${items} }`;
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** In single quotes, of which one inside is written twice (YAML 1.2, 7.3.2). */
export function yamlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
