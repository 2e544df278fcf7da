import type { RangeName } from '@ringdown/call-catalogue/filters';
import type { WorstMetric } from '@ringdown/call-catalogue/statistics';
import { worstMetrics } from '@ringdown/quality';
import type { Call } from './call.js';
import { slowestLink } from './parties/link-speed.js';
import { mediaFacts } from './streams/media-facts.js';

/** The worst value of each metric among the streams of a call. */
export function worstCallMetrics(call: Call): ReturnType<typeof worstMetrics> {
  return worstMetrics(mediaFacts(call));
}

const OF_THE_CALL: Readonly<Record<Exclude<RangeName, WorstMetric>, (call: Call) => number | null>> = {
  durationSeconds: ({ duration }) => duration?.seconds ?? null,
  ringSeconds: ({ ringSeconds }) => ringSeconds,
  setupSeconds: ({ setupSeconds }) => setupSeconds,
  postDialSeconds: ({ postDialSeconds }) => postDialSeconds,
  linkSpeed: slowestLink,
};

/** A number by whose range a call is found; null where it is not known. */
export function rangeValue(call: Call, name: RangeName): number | null {
  return isOfTheCall(name) ? OF_THE_CALL[name](call) : worstCallMetrics(call)[name];
}

function isOfTheCall(name: RangeName): name is keyof typeof OF_THE_CALL {
  return Object.hasOwn(OF_THE_CALL, name);
}

/** All of them. */
export function rangeValues(call: Call, worst = worstCallMetrics(call)): Readonly<Record<RangeName, number | null>> {
  const { durationSeconds, ringSeconds, setupSeconds, postDialSeconds, linkSpeed } = OF_THE_CALL;
  return {
    ...worst,
    durationSeconds: durationSeconds(call),
    ringSeconds: ringSeconds(call),
    setupSeconds: setupSeconds(call),
    postDialSeconds: postDialSeconds(call),
    linkSpeed: linkSpeed(call),
  };
}
