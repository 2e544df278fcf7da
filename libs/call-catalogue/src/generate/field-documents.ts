import { CONNECTION_ROWS } from '../fields/connection.js';
import { ENDPOINT_ROWS } from '../fields/endpoint.js';
import type { FieldRow } from '../fields/field-row.js';
import { yamlText } from './filter-documents.js';
import { markdownTable } from './markdown-table.js';

const VERSIONS: Readonly<Record<NonNullable<FieldRow['onlyIn']>, string>> = {
  '1.0': '1.0',
  D: 'D',
  extension: 'last C and D',
};

/** Elements of the header, for docs/records.md. */
export function connectionTable(): string {
  return fieldsTable(CONNECTION_ROWS);
}

/** Elements of endpoints, for docs/records.md. */
export function endpointsTable(): string {
  return fieldsTable(ENDPOINT_ROWS);
}

const PORT_ON_BUS = "$ref: '#/components/schemas/Port'";

/** Properties of an endpoint in asyncapi.yaml. */
export function endpointPropertiesOnBus(): string {
  return properties(ENDPOINT_ROWS);
}

/** Properties of a header in asyncapi.yaml, without the CallId, which alone is required and not empty. */
export function headerPropertiesOnBus(): string {
  return properties(CONNECTION_ROWS.filter(({ field }) => field !== 'callId'));
}

function fieldsTable(rows: readonly FieldRow[]): string {
  return markdownTable(
    ['Element', 'Field', 'Type', 'Only in', 'Meaning'],
    rows.map(({ element, alias, field, conversion, onlyIn, brief }) => [
      alias === undefined ? `\`${element}\`` : `\`${element}\`, \`${alias}\``,
      `\`${field}\``,
      conversion,
      onlyIn === undefined ? '' : VERSIONS[onlyIn],
      brief,
    ]),
  );
}

function properties(rows: readonly FieldRow[]): string {
  const types: Readonly<Record<FieldRow['conversion'], string>> = {
    text: 'type: string',
    integer: 'type: integer',
    number: 'type: number',
    port: PORT_ON_BUS,
    boolean: 'type: boolean',
  };
  return rows
    .flatMap(({ field, conversion, brief }) => [
      `        ${field}:`,
      `          ${types[conversion]}`,
      `          description: ${yamlText(brief)}`,
    ])
    .join('\n');
}
