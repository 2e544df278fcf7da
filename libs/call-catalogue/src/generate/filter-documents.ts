import { CALL_FIELD_NAMES, filterRow } from '../fields/call-fields.js';
import { CALL_RANGES, RANGE_NAMES, rangeParameters, type RangeName, type RangeReading } from '../fields/call-ranges.js';
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
  return [...all, ...excluding, ...RANGE_NAMES.flatMap(endsOf)].join('\n');
}

const READINGS: Readonly<Record<RangeReading, { readonly unit: string; readonly schema: string }>> = {
  seconds: { unit: ' many seconds', schema: '{ type: number, minimum: 0, maximum: 86400 }' },
  milliseconds: { unit: ' many milliseconds', schema: '{ type: number, minimum: 0, maximum: 600000 }' },
  share: { unit: '', schema: '{ type: number, minimum: 0, maximum: 1 }' },
  mos: { unit: '', schema: '{ type: number, minimum: 1, maximum: 5 }' },
  bits: { unit: ' many bit/s', schema: '{ type: integer, minimum: 0, maximum: 9999999999999 }' },
};

function endsOf(name: RangeName): readonly string[] {
  const { brief, reads } = CALL_RANGES[name];
  const { unit, schema: numbers } = READINGS[reads];
  return rangeParameters(name).map((parameter, end) =>
    [
      `    Call${capital(parameter)}:`,
      `      name: ${parameter}`,
      '      in: query',
      `      description: ${yamlText(`${brief}: at ${end === 0 ? 'least' : 'most'} this${unit}; a call without the value is not found`)}`,
      `      schema: ${numbers}`,
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
    `      schema: ${schema(values)}`,
  ].join('\n');
}

function schema(values: FilterRow['values']): string {
  if (values === 'numbers') return list(`{ type: integer, minimum: 0, maximum: 999999999 }`, ', maxItems: 50');
  if ('what' in values)
    return list(`{ type: string, minLength: 1, maxLength: ${values.longest} }`, ', minItems: 1, maxItems: 50');
  const isFlag = values.every((value) => value === 'true' || value === 'false');
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
