import { worstMetrics } from '@ringdown/quality';
import type { Call } from '../calls/call.js';
import { mediaFacts } from '../calls/media-facts.js';

/** A call in a list, with the values by which lists are filtered and sorted. */
export type ListedCall = Call & { readonly worst: ReturnType<typeof worstMetrics> };

/** Before users are hidden: a codec whose name is hidden, too, has no published values for the E-model. */
export function listedCall(call: Call): ListedCall {
  return { ...call, worst: worstMetrics(mediaFacts(call)) };
}
