import type { Call } from '../src/calls/call.js';
import { anna, ben, PAUSE, type Medium, type Step } from './call-scenario.js';

/**
 * The simplest description of a call: one observer who sees the steps as they happen, and misses the one given by
 * `missed`. No records, no clocks, no unknown order. The fold of the records must give the same result.
 */
export function referenceCall(steps: readonly Step[], missed?: number): ReferenceCall {
  /** What is in progress, and what the observer knows of it. */
  const going = new Set<Medium>();
  const known = new Map<Medium, 'active' | 'held' | 'ended'>();
  const seen = steps.filter((_, index) => index !== missed).map(({ what }) => what);
  for (const [index, step] of steps.entries()) {
    if (step.what === 'start') going.add(step.medium);
    const affected = 'medium' in step ? [step.medium] : step.what === 'bye' ? [...going, ...known.keys()] : [...going];
    const state = AFTER[step.what];
    if (index !== missed && state !== undefined) for (const medium of affected) known.set(medium, state);
    if (step.what === 'drop') going.delete(step.medium);
  }
  return {
    state: referenceCallState(seen, [...known.values()]),
    streams: [...known]
      .flatMap(([medium, state]) =>
        [[anna, ben] as const, [ben, anna] as const].map(([from, to]) => `${medium} ${from.uri} ${to.uri} ${state}`),
      )
      .toSorted(),
    parties: [anna.uri ?? '', ben.uri ?? ''].toSorted(),
    isPartial: !seen.includes('start') && seen.some((what) => what !== 'invite'),
    seconds: secondsOf(steps, missed),
  };
}

const AFTER: Partial<Record<Step['what'], 'active' | 'held' | 'ended'>> = {
  start: 'active',
  retrieve: 'active',
  hold: 'held',
  drop: 'ended',
  bye: 'ended',
};

function referenceCallState(seen: readonly Step['what'][], streams: readonly string[]): Call['state'] {
  if (seen.includes('bye')) return 'ended';
  if (streams.length === 0) return seen.includes('report') ? 'ended' : seen.includes('invite') ? 'invited' : 'active';
  const open = streams.filter((state) => state !== 'ended');
  if (open.length === 0) return 'ended';
  return open.every((state) => state === 'held') ? 'held' : 'active';
}

/** From the first observed start to the goodbye; undefined without both. */
function secondsOf(steps: readonly Step[], missed: number | undefined): number | undefined {
  const start = steps.findIndex(({ what }, index) => what === 'start' && index !== missed);
  const bye = steps.findIndex(({ what }, index) => what === 'bye' && index !== missed);
  if (start === -1 || bye === -1) return undefined;
  return (PAUSE * (bye - start)) / 1_000;
}

export interface ReferenceCall {
  readonly state: Call['state'];
  readonly streams: readonly string[];
  readonly parties: readonly string[];
  readonly isPartial: boolean;
  readonly seconds: number | undefined;
}

/** The properties of a call that the reference has, too. */
export function asReference({ state, streams, parties, partial, duration }: Call): ReferenceCall {
  return {
    state,
    streams: streams
      .map((stream) => [stream.mediaType, stream.from?.uri, stream.to?.uri, stream.state].join(' '))
      .toSorted(),
    parties: parties.map(({ uri }) => uri ?? '').toSorted(),
    isPartial: partial,
    seconds: duration?.clock === 'frontEnd' ? duration.seconds : undefined,
  };
}
