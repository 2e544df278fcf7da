/**
 * Elements that are not in this model, and values that do not fit the type of their field: texts by path from the
 * element that contains them. `Weather`, `Weather@Unit` (an attribute), `Weather/Rain` (inside), `Weather[2]` (a second
 * element of the name), `@Lang` (an attribute of the container itself). Texts are bounded; the collector keeps the
 * whole document.
 */
export type Extensions = Readonly<Record<string, string>>;
