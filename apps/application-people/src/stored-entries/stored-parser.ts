/* oxlint-disable typescript/no-unnecessary-type-parameters -- nothing but the version shows which form it is */

/**
 * Reads what only this service stores: the version implies the form of everything else. Throws for another version;
 * `what` names it in the error.
 */
export function storedParser<T extends { readonly v: 1 }>(what: string): (value: unknown) => T {
  return (value) => {
    if (isStored<T>(value)) return value;
    throw new Error(`${what} has an unknown version`);
  };
}

function isStored<T extends { readonly v: 1 }>(value: unknown): value is T {
  return typeof value === 'object' && value !== null && 'v' in value && value.v === 1;
}
