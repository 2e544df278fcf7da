import type { RangeName } from '@ringdown/call-catalogue';
import { worstMetrics } from '@ringdown/quality';
import type { Call } from './call.js';
import { slowestLink } from './link-speed.js';
import { mediaFacts } from './media-facts.js';

/** The worst value of each metric among the streams of a call. */
export function worstOf(call: Call): ReturnType<typeof worstMetrics> {
  return worstMetrics(mediaFacts(call));
}

/** The numbers by whose ranges a call is found; null where one is not known. */
export function rangeValues(call: Call, worst = worstOf(call)): Readonly<Record<RangeName, number | null>> {
  const { duration, ringSeconds, setupSeconds, postDialSeconds } = call;
  return {
    ...worst,
    durationSeconds: duration?.seconds ?? null,
    ringSeconds,
    setupSeconds,
    postDialSeconds,
    linkSpeed: slowestLink(call),
  };
}
