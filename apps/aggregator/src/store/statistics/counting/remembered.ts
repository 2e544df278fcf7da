/** Looks up each text once: the same few are in every call. */
export function remembered<T>(lookUp: (text: string) => T): (text: string) => T {
  const known = new Map<string, { readonly found: T }>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before.found;
    const found = lookUp(text);
    known.set(text, { found });
    return found;
  };
}
