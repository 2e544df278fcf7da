import { CONNECTION_FIELDS, ENDPOINT_FIELDS } from '../model/field-tables.js';
import type { DiagnosticsRecord } from '../model/record.js';
import { cutTo, TEXT_LIMITS, type TextKind } from '../model/text-limits.js';

/** Fields with another kind of text than usual. */
const KINDS: ReadonlyMap<string, TextKind> = new Map<string, TextKind>([
  ...[...ENDPOINT_FIELDS, ...CONNECTION_FIELDS].flatMap(({ field, conversion, limit }): [string, TextKind][] =>
    conversion === 'text' && limit !== undefined ? [[field, limit]] : [],
  ),
  ['version', 'word'],
  ['mediaType', 'word'],
  ['frontEnds', 'host'],
  ['pools', 'host'],
  ['address', 'host'],
  ['originator', 'identifier'],
  ['referredBy', 'address'],
  ['replaces', 'address'],
  ['via', 'address'],
  ['text', 'diagnostics'],
  ['rawSdp', 'sdp'],
]);
const MARK = '…';

/**
 * The record within the limits of a reader (docs/records.md, "Limits of texts"). Texts that a reader would reject are
 * left out: a key that is cut would be a different key. Other texts that are too long are cut and end with `…`.
 */
export function fitRecord(record: DiagnosticsRecord): DiagnosticsRecord {
  // Nearly every record fits: then nothing is copied.
  if (fits(record, '')) return record;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The same shape comes back: texts are shorter, and fields that may be absent are.
  return fitted(record, '') as DiagnosticsRecord;
}

/** The text within the limits of its kind; undefined if it must be left out. */
export function fitText(text: string, kind: TextKind): string | undefined {
  const { characters, beyond } = TEXT_LIMITS[kind];
  if (text.length <= characters) return text;
  return beyond === 'rejected' ? undefined : cutTo(text, characters - MARK.length) + MARK;
}

/** Whether nothing in it has to be cut or left out. */
function fits(value: unknown, field: string): boolean {
  if (typeof value === 'string') return value.length <= TEXT_LIMITS[KINDS.get(field) ?? 'text'].characters;
  if (typeof value !== 'object' || value === null) return value !== undefined;
  if (Array.isArray(value)) return value.every((item) => fits(item, field));
  return Object.keys(value).every((name) => fits(valueAt(value, name), name));
}

function valueAt(value: object, name: string): unknown {
  return Reflect.get(value, name);
}

function fitted(value: unknown, field: string): unknown {
  if (typeof value === 'string') return fitText(value, KINDS.get(field) ?? 'text');
  if (Array.isArray(value)) return value.map((item) => fitted(item, field)).filter((item) => item !== undefined);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, each]) => [name, fitted(each, name)] as const);
  return Object.fromEntries(fields.filter(([, each]) => each !== undefined));
}
