import type { Element } from './element.js';
import type { FurtherFields } from './record.js';

/** Longer texts of elements that nothing reads are left to the raw document. */
export const FURTHER_TEXT_LIMIT = 1_024;

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,4})?$/i;
/** All names of the feed are such names. `__proto__` is one by its letters, but no good key of an object. */
const NAME = /^(?!__proto__$)[A-Za-z_][\w.-]{0,127}$/;

export function isFieldName(name: string): boolean {
  return NAME.test(name);
}

/** Trimmed; undefined when nothing is left. */
export function textOf(element: Element | undefined): string | undefined {
  return element === undefined ? undefined : present(element.text);
}

export function present(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}

/** `1E+09`, `4.210172E-005`, `-3`, `.5`. Undefined for anything else, too large numbers included. */
export function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || !NUMBER.test(text)) return undefined;
  const value = Number(text);
  // + 0 makes -0 a plain zero, as JSON does.
  return Number.isFinite(value) ? value + 0 : undefined;
}

export function integerOf(text: string | undefined): number | undefined {
  const value = numberOf(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

export function portOf(text: string | undefined): number | undefined {
  const value = integerOf(text);
  return value !== undefined && value >= 0 && value <= 65_535 ? value : undefined;
}

/** 1.0 says `True`, later versions `true`. */
export function booleanOf(text: string | undefined): boolean | undefined {
  const lower = text?.toLowerCase();
  if (lower === 'true' || lower === '1') return true;
  return lower === 'false' || lower === '0' ? false : undefined;
}

export function childNamed(element: Element | undefined, name: string): Element | undefined {
  return element?.children.find((child) => child.name === name);
}

export function childText(element: Element | undefined, name: string): string | undefined {
  return textOf(childNamed(element, name));
}

/** Collects texts of elements without children, with their attributes; what is too long or oddly named stays out. */
export class FurtherCollector {
  /** Made when there is something to keep: most elements of the feed are known. */
  private fields: Map<string, string> | undefined;

  add(element: Element): void {
    if (element.children.length > 0 || !isFieldName(element.name)) return;
    this.keep(element.name, textOf(element));
    for (const [name, value] of element.attributes) {
      if (isFieldName(name)) this.keep(`${element.name}@${name}`, present(value));
    }
  }

  /** Undefined when there is nothing. */
  result(): FurtherFields | undefined {
    return this.fields && Object.fromEntries(this.fields);
  }

  private keep(key: string, value: string | undefined): void {
    if (value === undefined || value.length > FURTHER_TEXT_LIMIT) return;
    this.fields ??= new Map();
    if (!this.fields.has(key)) this.fields.set(key, value);
  }
}

type OptionalKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];

/** `T` with its possibly undefined keys made optional. */
export type WithoutAbsent<T> = Omit<T, OptionalKeys<T>> & { [K in OptionalKeys<T>]?: Exclude<T[K], undefined> };

/** The object without the keys whose value is undefined: in a record an absent field is absent. */
export function withoutAbsent<T extends object>(fields: T): WithoutAbsent<T> {
  const kept: Record<string, unknown> = {};
  for (const key in fields) {
    if (fields[key] !== undefined) kept[key] = fields[key];
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just the undefined values are gone, which no type of a loop can express
  return kept as WithoutAbsent<T>;
}
