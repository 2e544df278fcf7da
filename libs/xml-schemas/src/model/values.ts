const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,4})?$/i;
/** All names of the feed match. `__proto__` has valid characters, but is unsafe as a key of an object. */
const NAME = /^(?!__proto__$)[A-Za-z_][\w.-]{0,127}$/;

export function isFieldName(name: string): boolean {
  return NAME.test(name);
}

/** Trimmed; undefined when nothing is left. */
export function present(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}

/** `1E+09`, `4.210172E-005`, `-3`, `.5`. Undefined for anything else, including too large numbers. */
export function parseNumber(text: string | undefined): number | undefined {
  if (text === undefined || !NUMBER.test(text)) return undefined;
  const value = Number(text);
  // + 0 converts -0 to a plain zero, like JSON.
  return Number.isFinite(value) ? value + 0 : undefined;
}

export function parseInteger(text: string | undefined): number | undefined {
  const value = parseNumber(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

export function parsePort(text: string | undefined): number | undefined {
  const value = parseInteger(text);
  return value !== undefined && value >= 0 && value <= 65_535 ? value : undefined;
}

/** 1.0 writes `True`, later versions `true`. */
export function booleanOf(text: string | undefined): boolean | undefined {
  const lower = text?.toLowerCase();
  if (lower === 'true' || lower === '1') return true;
  return lower === 'false' || lower === '0' ? false : undefined;
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

/** The object with only these fields. */
export function pick<T extends object, K extends keyof T>(values: T, keys: readonly K[]): Partial<Pick<T, K>> {
  const picked: Partial<Pick<T, K>> = {};
  for (const key of keys) {
    if (values[key] !== undefined) picked[key] = values[key];
  }
  return picked;
}
