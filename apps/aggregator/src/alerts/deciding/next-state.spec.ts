import { nextState, type AlertCondition, type AlertPhase, type Measurement } from './next-state.js';

const CONDITION: AlertCondition = { comparison: 'above', limit: 10, clearLimit: 6, minimumCalls: 5, forSeconds: 60 };
const CLEAR: AlertPhase = { phase: 'clear' };

type Step = Measurement & { readonly silenced?: boolean; readonly isFed?: boolean };

/** The changes of a sequence of measurements, one every 30 seconds. */
function stateChanges(steps: readonly Step[], condition = CONDITION): readonly string[] {
  let state = CLEAR;
  return steps.flatMap((step, index) => {
    const moment = { now: index * 30_000, silenced: step.silenced === true, isFed: step.isFed !== false };
    const { next, change } = nextState(condition, step, state, moment);
    state = next;
    return change === null ? [] : [`${index} ${change}`];
  });
}

const values = (...given: readonly (number | null)[]): readonly Step[] => given.map((value) => ({ value, calls: 5 }));

/** Numbers in [0, 1) that are the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

describe('the next state of an alert', () => {
  it('fires once after the duration and is resolved once at the clear limit', () => {
    expect(stateChanges(values(11, 11, 11, 12, 11, 7, 6, 5))).toEqual(['2 firing', '6 resolved']);
  });

  it('begins the duration again after a value inside the limit', () => {
    expect(stateChanges(values(11, 11, 10, 11, 11, 11))).toEqual(['5 firing']);
  });

  it('does not fire, and is not resolved, with too few calls or without a value', () => {
    expect(stateChanges([11, 11, 11, 11].map((value) => ({ value, calls: 4 })))).toEqual([]);
    expect(stateChanges([...values(11, 11, 11, null), { value: 0, calls: 4 }, ...values(0)])).toEqual([
      '2 firing',
      '5 resolved',
    ]);
  });

  it('is resolved when there is nothing left to measure', () => {
    const nothing = { value: null, calls: 0 };
    expect(stateChanges([...values(11, 11, 11), nothing, nothing])).toEqual(['2 firing', '3 resolved']);
    expect(stateChanges([...values(11), nothing, ...values(11, 11)])).toEqual([]);
  });

  it('stays open without calls while no records arrive, as after an outage', () => {
    const unfed = { value: null, calls: 0, isFed: false };
    expect(stateChanges([...values(11, 11, 11), unfed, unfed, { ...unfed, isFed: true }])).toEqual([
      '2 firing',
      '5 resolved',
    ]);
  });

  it('does not fire while it is silenced, but is resolved', () => {
    const silent = (step: Step): Step => ({ ...step, silenced: true });
    expect(stateChanges(values(11, 11, 11, 11).map(silent))).toEqual([]);
    expect(stateChanges([...values(11, 11, 11), ...values(5).map(silent)])).toEqual(['2 firing', '3 resolved']);
  });

  it('compares with values below the limit as well', () => {
    const below: AlertCondition = { ...CONDITION, comparison: 'below', limit: 3, clearLimit: 3.5, forSeconds: 0 };
    expect(stateChanges(values(3, 2.9, 3.4, 3.5), below)).toEqual(['1 firing', '3 resolved']);
  });

  it('never changes inside the hysteresis, and fires and is resolved in turn, for any measurements', () => {
    for (let seed = 1; seed <= 500; seed++) {
      const random = randomNumbers(seed);
      const condition = { ...CONDITION, forSeconds: Math.floor(random() * 4) * 30 };
      const steps = Array.from({ length: 200 }, () => ({
        value: random() < 0.1 ? null : random() * 16,
        calls: Math.floor(random() * 20),
        silenced: random() < 0.1,
      }));
      const changes = stateChanges(steps, condition).map((text) => text.split(' '));
      changes.forEach(([at, change], index) => {
        expect(change).toBe(index % 2 === 0 ? 'firing' : 'resolved');
        const { value = null, calls = 0 } = steps[Number(at)] ?? {};
        if (change === 'resolved' && calls === 0) return;
        expect(calls).toBeGreaterThanOrEqual(condition.minimumCalls);
        const isExceeded = (value ?? 8) > condition.limit;
        const isCleared = (value ?? 8) <= condition.clearLimit;
        expect(change === 'firing' ? isExceeded : isCleared).toBe(true);
      });
    }
  });
});
