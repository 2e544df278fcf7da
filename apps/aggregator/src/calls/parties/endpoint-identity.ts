import type { Endpoint } from '@ringdown/xml-schemas/record';
import { uriKey } from '../call-keys.js';

/** What identifies an endpoint in its call, for comparing. */
export interface EndpointIdentity {
  id: string | undefined;
  epId: string | undefined;
  uri: string | undefined;
  /** Only for endpoints without any other identity. */
  ip: string | undefined;
}

/** The rank of an endpoint without any identity, and of two that differ. */
export const NAMELESS = 4;

export function endpointIdentity({ id, epId, uri, ip }: Endpoint): EndpointIdentity {
  const named = id !== undefined || epId !== undefined || uri !== undefined;
  return {
    id: id?.toLowerCase(),
    epId: epId?.toLowerCase(),
    uri: uri === undefined ? undefined : uriKey(uri),
    ip: named ? undefined : ip,
  };
}

/** The most complete ones have the lowest rank. */
export function identityRank({ id, epId, uri, ip }: Readonly<EndpointIdentity>): number {
  if (id !== undefined) return 0;
  if (epId !== undefined) return 1;
  if (uri !== undefined) return 2;
  return ip === undefined ? NAMELESS : 3;
}

/**
 * The index of the same endpoint in `known`, or -1. Endpoints are matched by dialog tag, else by endpoint id, else by
 * URI (diagnostics-feed.md, 3.5): one with the same endpoint id is preferred to an earlier one with the same URI.
 */
export function matchingIdentity(
  wanted: Readonly<EndpointIdentity>,
  known: readonly Readonly<EndpointIdentity>[],
): number {
  let best = -1;
  let bestRank = NAMELESS;
  for (const [index, candidate] of known.entries()) {
    const rank = matchRank(wanted, candidate);
    if (rank < bestRank) [best, bestRank] = [index, rank];
  }
  return best;
}

/** Of the first value that both have, if it is equal: no other value matches two endpoints that differ in it. */
function matchRank(one: Readonly<EndpointIdentity>, other: Readonly<EndpointIdentity>): number {
  if (one.id !== undefined && other.id !== undefined) return one.id === other.id ? 0 : NAMELESS;
  if (one.epId !== undefined && other.epId !== undefined) return one.epId === other.epId ? 1 : NAMELESS;
  if (one.uri !== undefined && other.uri !== undefined) return one.uri === other.uri ? 2 : NAMELESS;
  return one.ip !== undefined && one.ip === other.ip ? 3 : NAMELESS;
}
