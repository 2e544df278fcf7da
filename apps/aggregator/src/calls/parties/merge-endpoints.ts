import type { Endpoint, Extensions } from '@ringdown/xml-schemas/record';

/** More than any real call has in one place; an invented one must not become a large call. */
export const EXTENSIONS_LIMIT = 200;

/** A known value is never overwritten by an absent one. */
export function mergeEndpoints(earlier: Endpoint | undefined, later: Endpoint): Endpoint {
  if (earlier === undefined) return withBoundedExtensions(later);
  // Most have none, and endpoints are merged for every sighting.
  if (later.further === undefined) return { ...earlier, ...later };
  return withBoundedExtensions({ ...earlier, ...later }, [earlier, later]);
}

/** The endpoint with at most {@link EXTENSIONS_LIMIT} of the unknown elements of `holders`. */
export function withBoundedExtensions(endpoint: Endpoint, holders: readonly Endpoint[] = [endpoint]): Endpoint {
  if (endpoint.further === undefined) return endpoint;
  const further = mergeExtensions(holders);
  return further === undefined ? endpoint : { ...endpoint, further };
}

/** Undefined when there are none; of two values of one path, the later one. */
export function mergeExtensions(holders: readonly { readonly further?: Extensions }[]): Extensions | undefined {
  const merged = new Map<string, string>();
  for (const { further } of holders) {
    if (further === undefined) continue;
    for (const [path, text] of Object.entries(further)) {
      if (merged.size < EXTENSIONS_LIMIT || merged.has(path)) merged.set(path, text);
    }
  }
  return merged.size === 0 ? undefined : Object.fromEntries(merged);
}
