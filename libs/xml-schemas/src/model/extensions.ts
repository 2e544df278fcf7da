/**
 * What this model does not name, and values that do not fit the type of the named field: text by path from the element
 * that holds it. `Weather`, `Weather@Unit` (an attribute), `Weather/Rain` (inside), `Weather[2]` (another one of the
 * name), `@Lang` (an attribute of the holder itself). Texts are bounded; the collector keeps the whole document anyway.
 */
export type Extensions = Readonly<Record<string, string>>;
