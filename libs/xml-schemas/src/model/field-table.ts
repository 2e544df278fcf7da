import type { TextKind } from './text-limits.js';

/** How a text becomes a value of this type. */
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
