type WithoutUndefined<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> } & {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
};

/** Removes fields that are undefined: with exact types that differs from missing. */
export function withoutUndefined<T extends object>(fields: T): WithoutUndefined<T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fromEntries forgets the names, which are those of T
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as WithoutUndefined<T>;
}
