import type { CallPlan, Side } from './call-plan.js';
import { plannedRecords } from './call-records.js';
import { chooseCulprit, CULPRIT_KINDS, culpritText, spoilsMedia, type Culprit } from './culprits.js';
import { demoFrontEnds } from './places.js';
import { planCalls } from './plan-calls.js';
import { beginnings } from './rhythm.js';
import { hasEcho, isRefused, storyOfCulprit, type Story } from './story.js';

/** A Wednesday, by the clock of this machine. */
const NOW = new Date(2026, 2, 4, 16, 0).getTime();
const FROM = NOW - 4 * 3_600_000;
const SEED = 3;

function plansOf(story: Story): readonly CallPlan[] {
  const options = { frontEnds: demoFrontEnds(3), story, isLive: false, detailsFrom: NOW };
  return beginnings({ seed: SEED, from: FROM, to: NOW, story }).flatMap((beginning) => planCalls(beginning, options));
}

function sidesOf({ caller, callee }: CallPlan): readonly Side[] {
  return [caller, callee];
}

/** Whether the culprit is on the call. */
function hasIt(plan: CallPlan, { kind, value }: Culprit): boolean {
  return sidesOf(plan).some((side) => {
    if (side.kind === 'outside') return (kind === 'trunk' ? side.trunk.name : side.trunk.border) === value;
    if (kind === 'headset') return side.kind === 'person' && side.person.headset === value;
    return spoilsMedia(plan, side, { kind, value, share: 1 });
  });
}

describe('a demo with a culprit', () => {
  const nothing = storyOfCulprit(undefined);
  const usual = plansOf(nothing);
  const recordsOf = (plan: CallPlan, story: Story): string => JSON.stringify(plannedRecords(plan, story));

  it.each(CULPRIT_KINDS)('has the same calls as one without, but for a part of those with the %s', (kind) => {
    const culprit = chooseCulprit(kind, SEED);
    if (culprit === undefined) throw new Error('no culprit');
    const story = storyOfCulprit(culprit);
    const plans = plansOf(story);
    expect(plans.map(({ callId }) => callId)).toEqual(usual.map(({ callId }) => callId));
    const others = plans.filter((plan) => !hasIt(plan, culprit));
    const before = new Map(usual.map((plan) => [plan.callId, recordsOf(plan, nothing)]));
    expect(others.filter((plan) => recordsOf(plan, story) !== before.get(plan.callId))).toEqual([]);
    const own = plans.filter((plan) => hasIt(plan, culprit));
    const changed = own.filter((plan) => recordsOf(plan, story) !== before.get(plan.callId));
    expect(own.length).toBeGreaterThan(5);
    expect(changed.length).toBeGreaterThan(0.2 * own.length);
    expect(changed.length).toBeLessThan(0.9 * own.length);
  });

  it('is chosen by the seed, and differs from seed to seed', () => {
    const chosen = Array.from({ length: 50 }, (_, seed) => chooseCulprit('random', seed));
    expect(chooseCulprit('random', 7)).toEqual(chosen[7]);
    expect(new Set(chosen.map((each) => each?.kind))).toEqual(new Set(CULPRIT_KINDS));
    expect(chooseCulprit('none', 7)).toBeUndefined();
  });

  it('is told at the end', () => {
    expect(culpritText({ kind: 'codec', value: 'opus/48000/2', share: 0.5 })).toBe(
      'What was wrong: codec opus/48000/2, in 50 % of its calls.',
    );
    expect(culpritText(undefined)).toBe('Nothing was wrong in this company.');
  });

  it('has nothing wrong without one: no echo, no refusing trunk', () => {
    const sides = usual.flatMap((plan) => sidesOf(plan).map((side) => [plan, side] as const));
    const wrong = sides.filter(([plan, side]) => {
      if (side.kind === 'person') return hasEcho(plan, side.person, nothing);
      return side.kind === 'outside' && isRefused(plan, side.trunk, nothing);
    });
    expect(sides.length).toBeGreaterThan(500);
    expect(wrong).toEqual([]);
  });
});
