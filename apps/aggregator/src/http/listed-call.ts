import type { Call } from '../calls/call.js';
import { worstCallMetrics } from '../calls/range-values.js';

/** A call in a list, with the values by which lists are filtered and sorted. */
export type ListedCall = Call & { readonly worst: ReturnType<typeof worstCallMetrics> };

/** Before users are hidden: a codec whose name is hidden, too, has no published values for the E-model. */
export function listedCall(call: Call): ListedCall {
  return { ...call, worst: worstCallMetrics(call) };
}
