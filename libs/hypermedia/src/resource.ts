/** A resource of the web interface, before it is serialized as JSON or XML (web-interface.md, sections 4, 5 and 9). */
export interface Resource {
  readonly rel: string;
  readonly href: string;
  /** The revision of the representation, if it is not the first; shown with the link to itself. */
  readonly revision?: string;
  /** All links but `self`, in the order in which they are shown. */
  readonly links?: readonly Link[];
  /** In the order in which they are shown; `undefined` values are omitted. */
  readonly properties?: Properties;
  readonly embedded?: readonly Embedded[];
  /** Changes with the resource; shown to clients, which send it back in `If-None-Match` and `If-Match`. */
  readonly etag?: string;
  /** The JSON form, if it can be created faster than by serializing the properties here: exactly the same text. */
  readonly json?: () => string;
  /** True for the documents before the applications, whose JSON has no `rel`. */
  readonly withoutRel?: boolean;
}

export type Properties = Readonly<Record<string, PropertyValue | undefined>>;

/**
 * A time has a different format in each: `/Date(milliseconds)/` in JSON, ISO 8601 in XML (web-interface.md, section 5).
 */
export type PropertyValue = string | number | boolean | Date | Time | readonly string[];

/** A time in a resource that is stored as JSON before it is shown. */
export interface Time {
  /** Milliseconds since 1970. */
  readonly time: number;
}

export function propertyDate(value: Date | Time): Date {
  return value instanceof Date ? value : new Date(value.time);
}

export function isList(value: PropertyValue): value is readonly string[] {
  return Array.isArray(value);
}

export interface Link {
  readonly rel: string;
  readonly href: string;
  /** A readable name of the link's target. */
  readonly title?: string;
  readonly revision?: string;
  /** True when the relation may hold several links: JSON then always shows a list. */
  readonly many?: boolean;
}

/** Resources inside a resource. A relation with `many` is a list in JSON even when there is one or none. */
export type Embedded =
  | { readonly rel: string; readonly many: true; readonly resources: readonly Resource[] }
  | { readonly rel: string; readonly many: false; readonly resource: Resource };
