import type { Element } from './element.js';
import { FurtherCollector, type FurtherRoom } from './further.js';
import type { CutTexts, TextKind } from './limits.js';
import type { FurtherFields } from './record.js';
import { booleanOf, integerOf, numberOf, portOf, present, textOf } from './values.js';

/** How a text becomes a value. */
const CONVERSIONS = {
  text: undefined,
  integer: integerOf,
  number: numberOf,
  port: portOf,
  boolean: booleanOf,
} as const;

type ConversionTo<V> = V extends string
  ? 'text'
  : V extends number
    ? 'integer' | 'number' | 'port'
    : V extends boolean
      ? 'boolean'
      : never;

/** One simple element of the feed, or `Element@Attribute`, and the field of the model that holds it. */
export type Field<T> = {
  [K in keyof T & string]-?: {
    readonly element: string;
    readonly field: K;
    readonly conversion: ConversionTo<NonNullable<T[K]>>;
    /** How long it may be, where it is a text; `text` if not given. */
    readonly limit?: TextKind;
    /** Another spelling that is read as well. */
    readonly alias?: string;
    /** Where not all versions have it; `extension` is that of the last release of C and D. */
    readonly onlyIn?: '1.0' | 'D' | 'extension';
  };
}[keyof T & string];

/** Fields in the order in which they are written; read in any order. */
export type FieldTable<T> = readonly Field<T>[];

interface KnownField {
  readonly field: string;
  /** Undefined for a text. */
  readonly convert: ((text: string) => unknown) | undefined;
  readonly limit: TextKind;
  readonly element: string;
}

/** What the caller of a {@link FieldReader} reads itself. */
export interface Elsewhere {
  readonly children?: readonly string[];
  readonly attribute?: string;
}

/** Reads elements of one kind by a table; made once per kind. */
export class FieldReader<T extends { readonly further?: FurtherFields }> {
  private readonly byName: ReadonlyMap<string, KnownField | 'elsewhere'>;

  constructor(
    table: FieldTable<T>,
    private readonly elsewhere: Elsewhere = {},
  ) {
    const names = table.flatMap(({ element, alias, field, conversion, limit = 'text' }) => {
      const known: KnownField = { field, convert: CONVERSIONS[conversion], limit, element };
      return [element, ...(alias === undefined ? [] : [alias])].map((name) => [name, known] as const);
    });
    this.byName = new Map<string, KnownField | 'elsewhere'>([
      ...names,
      ...(elsewhere.children ?? []).map((name) => [name, 'elsewhere'] as const),
    ]);
  }

  /** The first of repeated elements counts. What is unknown or does not fit its type goes to `further`. */
  read(element: Element, room: FurtherRoom): Partial<T> {
    const values: Record<string, unknown> = {};
    const further = new FurtherCollector(room);
    for (const child of element.children) {
      const known = this.byName.get(child.name);
      if (known === 'elsewhere') continue;
      const wasRead = known !== undefined && take(values, known, textOf(child), child, room.cut);
      if (wasRead && child.attributes.size === 0 && child.children.length === 0) continue;
      const attributes = this.readAttributes(child, values, room.cut);
      if (wasRead) further.addRest(child, '', attributes);
      else further.add(child, '', attributes);
    }
    further.addAttributes(element, this.elsewhere.attribute);
    const rest = further.result();
    if (rest) values['further'] = rest;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table's type ties each field to a conversion that yields its type
    return values as Partial<T>;
  }

  private readAttributes(element: Element, values: Record<string, unknown>, cut: CutTexts): readonly string[] {
    const read: string[] = [];
    for (const [attribute, text] of element.attributes) {
      const known = this.byName.get(`${element.name}@${attribute}`);
      if (known === undefined || known === 'elsewhere') continue;
      if (take(values, known, present(text), element, cut)) read.push(`@${attribute}`);
    }
    return read;
  }
}

/** Says whether the text became the field's value. */
function take(
  values: Record<string, unknown>,
  { field, convert, limit, element: name }: KnownField,
  text: string | undefined,
  element: Element,
  cut: CutTexts,
): boolean {
  if (text === undefined || values[field] !== undefined) return false;
  const value = convert === undefined ? cut.within(text, limit, element, name) : convert(text);
  if (value === undefined) return false;
  values[field] = value;
  return true;
}
