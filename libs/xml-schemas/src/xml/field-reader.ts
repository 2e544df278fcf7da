import type { Extensions } from '../model/extensions.js';
import type { FieldTable } from '../model/field-table.js';
import type { TextKind } from '../model/text-limits.js';
import { booleanOf, parseInteger, parseNumber, parsePort, present } from '../model/values.js';
import type { CutTexts } from './cut-texts.js';
import { type Element, trimmedElementText } from './element.js';
import { ExtensionCollector, type ReadingBudget } from './extension-collector.js';

/** The conversions of a text to a value. */
const CONVERSIONS = {
  text: undefined,
  integer: parseInteger,
  number: parseNumber,
  port: parsePort,
  boolean: booleanOf,
} as const;

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

/** Reads elements of one kind by a table; created once per kind. */
export class FieldReader<T extends { readonly further?: Extensions }> {
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

  /** The first of repeated elements counts. Unknown content and values of the wrong type go to `further`. */
  read(element: Element, budget: ReadingBudget): Partial<T> {
    const values: Record<string, unknown> = {};
    const extensions = new ExtensionCollector(budget);
    for (const child of element.children) {
      const known = this.byName.get(child.name);
      if (known === 'elsewhere') continue;
      const wasRead = known !== undefined && assign(values, known, trimmedElementText(child), child, budget.cut);
      if (wasRead && child.attributes.size === 0 && child.children.length === 0) continue;
      const attributes = this.readAttributes(child, values, budget.cut);
      if (wasRead) extensions.addAllExceptText(child, '', attributes);
      else extensions.add(child, '', attributes);
    }
    extensions.addAttributes(element, this.elsewhere.attribute);
    const unread = extensions.result();
    if (unread) values['further'] = unread;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table's type ties each field to a conversion that yields its type
    return values as Partial<T>;
  }

  private readAttributes(element: Element, values: Record<string, unknown>, cut: CutTexts): readonly string[] {
    const read: string[] = [];
    for (const [attribute, text] of element.attributes) {
      const known = this.byName.get(`${element.name}@${attribute}`);
      if (known === undefined || known === 'elsewhere') continue;
      if (assign(values, known, present(text), element, cut)) read.push(`@${attribute}`);
    }
    return read;
  }
}

/** Returns whether the text became the field's value. */
function assign(
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
