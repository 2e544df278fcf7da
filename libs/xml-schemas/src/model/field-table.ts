import type { TextKind } from './text-limits.js';

/** The conversion from text to this type. */
type ConversionTo<V> = V extends string
  ? 'text'
  : V extends number
    ? 'integer' | 'number' | 'port'
    : V extends boolean
      ? 'boolean'
      : never;

/** One simple element of the feed, or `Element@Attribute`, and its field in the model. */
export type Field<T> = {
  [K in keyof T & string]-?: {
    readonly element: string;
    readonly field: K;
    readonly conversion: ConversionTo<NonNullable<T[K]>>;
    /** The kind of its limit if it is a text; default: `text`. */
    readonly limit?: TextKind;
    /** Another spelling that is accepted when reading. */
    readonly alias?: string;
    /** If not all versions have it; `extension` is that of the last release of C and D. */
    readonly onlyIn?: '1.0' | 'D' | 'extension';
  };
}[keyof T & string];

/** Fields in the order in which they are written; read in any order. */
export type FieldTable<T> = readonly Field<T>[];
